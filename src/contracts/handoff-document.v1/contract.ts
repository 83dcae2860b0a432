import { defineContract } from '../../contract/index.ts'
import { declaresDocument, hasDocumentKeys, hasDocumentTitles } from '../handoff-kind.ts'
import type { HandoffDocument } from './schema.ts'

export default defineContract<HandoffDocument>({
  id: 'handoff-document.v1',
  title: 'Handoff document',
  formats: ['markdown'],
  recognise: {
    declares: declaresDocument,
    signature: hasDocumentKeys,
    resembles: hasDocumentTitles,
    // Every Markdown text has sections, and many have frontmatter: root keys distinguish nothing.
    keys: [],
  },
  header: ({ frontmatter }) => ({
    from: frontmatter.agent,
    correlation: frontmatter.adr_id,
    createdAt: frontmatter.timestamp,
    continues: frontmatter.continues_from,
  }),
})
