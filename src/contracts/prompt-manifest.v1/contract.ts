import { defineContract } from '../../contract/index.ts'
import type { PromptManifest } from './schema.ts'

const FILE_NAME = /(?:^|\/)prompt-manifest\.json$/

export default defineContract<PromptManifest>({
  id: 'prompt-manifest.v1',
  title: 'Prompt manifest',
  formats: ['json', 'yaml'],
  recognise: {
    isNamed: name => FILE_NAME.test(name),
    signature: v => Object.hasOwn(v, 'domains') && Object.hasOwn(v, 'archetypes'),
    keys: ['domains', 'archetypes', 'orchestrators', 'taxonomy', 'governance', 'generated'],
  },
  header: v => ({ createdAt: v.generated }),
})
