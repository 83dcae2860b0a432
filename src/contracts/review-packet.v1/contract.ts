import { defineContract } from '../../contract/index.ts'
import type { ReviewPacket } from './schema.ts'

export default defineContract<ReviewPacket>({
  id: 'review-packet.v1',
  title: 'Review packet',
  formats: ['json', 'yaml'],
  recognise: {
    declares: v => v.schema_name === 'review_packet',
    keys: ['review_status', 'issues', 'required_edits', 'approved_output'],
  },
  header: v => ({
    id: v.packet_id,
    correlation: v.mission_id,
    from: v.producer,
    createdAt: v.created_at,
  }),
})
