import Type, { type Static } from 'typebox'
import { missionArtifact, WordList } from '../mission.ts'
import { Words } from '../shapes.ts'

const Evidence = Type.Object(
  {
    claim: Words('The claim.'),
    support_refs: WordList('Ids of the artifacts or cited sources that support it.'),
  },
  { description: 'A claim and its support.' },
)

const schema = Type.Object(
  {
    ...missionArtifact('aggregation_packet'),
    packet_id: Words('The id of the packet.'),
    summary: Words('A summary of the draft.'),
    evidence_matrix: Type.Array(Evidence, { description: 'Every claim and its support.' }),
    contradictions: Type.Array(Type.Unknown(), {
      description: 'Points on which results disagree.',
    }),
    coverage_gaps: Type.Array(Type.Unknown(), { description: 'Questions that no result answers.' }),
    recommended_output: Type.Object(
      { format: Words('The format in which to present the draft.') },
      { additionalProperties: Type.Unknown(), description: 'How to present the draft.' },
    ),
  },
  { title: 'Aggregation packet', description: 'The draft made from all results, before review.' },
)

export type AggregationPacket = Static<typeof schema>
export default schema
