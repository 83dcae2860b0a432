import { defineContract, type Fields } from '../../contract/index.ts'
import type { Orchestration } from './schema.ts'

const FILE_NAME = /(?:^|\/)ORCHESTRATION[^/]*\.ya?ml$/

export default defineContract<Orchestration>({
  id: 'orchestration.v1',
  title: 'Orchestration state',
  formats: ['yaml', 'json'],
  recognise: {
    isNamed: name => FILE_NAME.test(name),
    signature: v =>
      isFields(v.pipelines) &&
      Object.values(v.pipelines).some(
        pipeline => isFields(pipeline) && Object.hasOwn(pipeline, 'phases'),
      ),
    keys: [
      'workflow',
      'workflow_id',
      'pipelines',
      'phases',
      'barriers',
      'execution_queue',
      'checkpoints',
      'resumption',
    ],
  },
  header: v => ({
    id: v.workflow?.id,
    correlation: v.workflow?.id,
    createdAt: v.workflow?.created_at ?? v.workflow?.created,
  }),
})

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
