import { defineContract } from '../../contract/index.ts'
import { isNote } from '../handoff-kind.ts'
import type { HandoffNote } from './schema.ts'

export default defineContract<HandoffNote>({
  id: 'handoff-note.v1',
  title: 'Handoff note',
  formats: ['markdown'],
  recognise: {
    declares: isNote,
    // Every Markdown text has sections, and many have frontmatter: root keys distinguish nothing.
    keys: [],
  },
  header: ({ frontmatter }) => ({
    from: frontmatter?.agent,
    correlation: frontmatter?.adr_id,
    createdAt: frontmatter?.timestamp,
    continues: frontmatter?.continues_from,
  }),
})
