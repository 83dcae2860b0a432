import { defineContract } from '../../contract/index.ts'
import type { WritebackProposal } from './schema.ts'

export default defineContract<WritebackProposal>({
  id: 'writeback-proposal.v1',
  title: 'Write-back proposal',
  formats: ['json', 'yaml'],
  recognise: {
    declares: v => v.schema_name === 'writeback_proposal',
    keys: [
      'proposal_id',
      'target_entity_type',
      'target_entity_id',
      'action_type',
      'requires_approval',
    ],
  },
  header: v => ({
    id: v.proposal_id,
    correlation: v.mission_id,
    from: v.producer,
    createdAt: v.created_at,
  }),
})
