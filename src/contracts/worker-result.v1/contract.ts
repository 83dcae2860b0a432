import { defineContract } from '../../contract/index.ts'
import type { WorkerResult } from './schema.ts'

export default defineContract<WorkerResult>({
  id: 'worker-result.v1',
  title: 'Worker result',
  formats: ['json', 'yaml'],
  recognise: {
    declares: v => v.schema_name === 'worker_result',
    keys: ['result_id', 'output_text', 'structured_output', 'citations', 'tool_trace_refs'],
  },
  header: v => ({
    id: v.result_id,
    correlation: v.mission_id,
    from: v.producer,
    createdAt: v.created_at,
  }),
})
