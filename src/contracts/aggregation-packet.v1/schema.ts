import Type, { type Static } from 'typebox'
import { missionArtifact, WordList } from '../mission.ts'
import { Words } from '../shapes.ts'

const Evidence = Type.Object(
  {
    claim: Words('What is said.'),
    support_refs: WordList('Ids of the artifacts, or of what they cite, that support it.'),
  },
  { description: 'One claim with what supports it.' },
)

const schema = Type.Object(
  {
    ...missionArtifact('aggregation_packet'),
    packet_id: Words('What the packet is called.'),
    summary: Words('The draft in short.'),
    evidence_matrix: Type.Array(Evidence, { description: 'Every claim with what supports it.' }),
    contradictions: Type.Array(Type.Unknown(), { description: 'Where results disagree.' }),
    coverage_gaps: Type.Array(Type.Unknown(), { description: 'What no result answers.' }),
    recommended_output: Type.Object(
      { format: Words('The form in which to present the draft.') },
      { additionalProperties: Type.Unknown(), description: 'How to present the draft.' },
    ),
  },
  { title: 'Aggregation packet', description: 'The draft made from all results, before review.' },
)

/** The draft made from all results, before review. */
export type AggregationPacket = Static<typeof schema>
export default schema
