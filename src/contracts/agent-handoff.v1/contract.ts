import { defineContract } from '../../contract/index.ts'
import type { AgentHandoff } from './schema.ts'

export default defineContract<AgentHandoff>({
  id: 'agent-handoff.v1',
  title: 'Agent handoff',
  formats: ['json', 'yaml'],
  recognise: {
    signature: v => Object.hasOwn(v, 'handoff_id') && Object.hasOwn(v, 'protocol_version'),
    keys: [
      'handoff_id',
      'protocol_version',
      'source_agent',
      'target_agent',
      'context',
      'governance',
    ],
  },
  header: v => ({
    id: v.handoff_id,
    from: v.source_agent.agent_id,
    to: v.target_agent.agent_id,
    createdAt: v.timestamp,
  }),
  states: v => v.protocol_version,
})
