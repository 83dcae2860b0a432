import { defineContract } from '../../contract/index.ts'
import type { AggregationPacket } from './schema.ts'

export default defineContract<AggregationPacket>({
  id: 'aggregation-packet.v1',
  title: 'Aggregation packet',
  formats: ['json', 'yaml'],
  recognise: {
    declares: v => v.schema_name === 'aggregation_packet',
    keys: ['evidence_matrix', 'contradictions', 'coverage_gaps', 'recommended_output'],
  },
  header: v => ({
    id: v.packet_id,
    correlation: v.mission_id,
    from: v.producer,
    createdAt: v.created_at,
  }),
})
