import { defineContract } from '../../contract/index.ts'
import type { PromptLock } from './schema.ts'

const FILE_NAME = /(?:^|\/)prompt-lock\.json$/

export default defineContract<PromptLock>({
  id: 'prompt-lock.v1',
  title: 'Prompt lock',
  formats: ['json', 'yaml'],
  recognise: {
    declares: (_, name) => FILE_NAME.test(name),
    signature: v => Object.hasOwn(v, 'algorithm') && Object.hasOwn(v, 'prompts'),
    keys: ['algorithm', 'prompts', 'integrity', 'lockfileVersion', 'generated'],
  },
  header: v => ({ createdAt: v.generated }),
})
