import { defineContract } from '../../contract/index.ts'
import type { MissionEnvelope } from './schema.ts'

export default defineContract<MissionEnvelope>({
  id: 'mission-envelope.v1',
  title: 'Mission envelope',
  formats: ['json', 'yaml'],
  recognise: {
    declares: v => v.schema_name === 'mission_envelope',
    keys: [
      'mission_type',
      'origin_surface',
      'user_goal',
      'normalized_goal',
      'risk_level',
      'sensitivity_class',
    ],
  },
  header: v => ({
    id: v.mission_id,
    correlation: v.mission_id,
    from: v.actor_id,
    to: v.producer,
    createdAt: v.created_at,
  }),
})
