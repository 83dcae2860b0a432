import { defineContract } from '../../contract/index.ts'
import type { PromptPackage } from './schema.ts'

export default defineContract<PromptPackage>({
  id: 'prompt-package.v1',
  title: 'Prompt package',
  formats: ['json', 'yaml'],
  recognise: {
    declares: v => v.schema_name === 'prompt_package',
    keys: [
      'package_id',
      'template_id',
      'system_prompt',
      'task_prompt',
      'tool_scope',
      'model_route',
    ],
  },
  header: v => ({
    id: v.package_id,
    correlation: v.mission_id,
    from: v.producer,
    createdAt: v.created_at,
  }),
})
