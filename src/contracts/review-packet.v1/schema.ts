import Type, { type Static } from 'typebox'
import { Level, missionArtifact, WordList } from '../mission.ts'
import { Words } from '../shapes.ts'

const Issue = Type.Object(
  {
    severity: Level('How much it matters.'),
    message: Words('The problem.'),
  },
  { description: 'A problem that the reviewer found.' },
)

const schema = Type.Object(
  {
    ...missionArtifact('review_packet'),
    packet_id: Words('The id of the packet.'),
    review_status: Type.Enum(['approved', 'approved_with_edits', 'changes_required', 'rejected'], {
      description: 'The decision of the reviewer.',
    }),
    issues: Type.Array(Issue, { description: 'Problems that the reviewer found.' }),
    required_edits: WordList('Edits that the approval depends on.'),
    approved_output: Type.Optional(
      Type.Object(
        { summary: Words('The reviewed answer.') },
        { additionalProperties: Type.Unknown(), description: 'The output that may be sent.' },
      ),
    ),
  },
  { title: 'Review packet', description: 'The result of the review of a mission.' },
)

export type ReviewPacket = Static<typeof schema>
export default schema
