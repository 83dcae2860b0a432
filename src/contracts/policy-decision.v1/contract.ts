import { defineContract } from '../../contract/index.ts'
import type { PolicyDecision } from './schema.ts'

export default defineContract<PolicyDecision>({
  id: 'policy-decision.v1',
  title: 'Policy decision',
  formats: ['json', 'yaml'],
  recognise: {
    declares: v => v.schema_name === 'policy_decision',
    keys: ['decision_id', 'decision_type', 'subject', 'decision'],
  },
  header: v => ({
    id: v.decision_id,
    correlation: v.mission_id,
    from: v.producer,
    createdAt: v.created_at,
  }),
})
