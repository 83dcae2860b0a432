import { defineContract } from '../../contract/index.ts'
import type { MissionTaskGraph } from './schema.ts'

export default defineContract<MissionTaskGraph>({
  id: 'mission-task-graph.v1',
  title: 'Mission task graph',
  formats: ['json', 'yaml'],
  recognise: {
    declares: v => v.schema_name === 'mission_task_graph',
    keys: ['mission_id', 'tasks'],
  },
  header: v => ({ correlation: v.mission_id, from: v.producer, createdAt: v.created_at }),
})
