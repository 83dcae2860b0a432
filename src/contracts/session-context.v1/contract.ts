import { defineContract } from '../../contract/index.ts'
import type { SessionContext } from './schema.ts'

export default defineContract<SessionContext>({
  id: 'session-context.v1',
  title: 'Session context',
  formats: ['json', 'yaml'],
  recognise: {
    signature: v =>
      Object.hasOwn(v, 'source_agent') &&
      ['payload', 'session_id', 'schema_version'].filter(key => Object.hasOwn(v, key)).length >= 2,
    keys: ['source_agent', 'target_agent', 'payload', 'session_id', 'schema_version'],
    wrapper: 'session_context',
  },
  header: v => ({
    id: v.trace?.span_id,
    correlation: v.session_id,
    from: v.source_agent.id,
    to: v.target_agent.id,
    createdAt: v.timestamp,
  }),
  states: v => v.schema_version,
})
