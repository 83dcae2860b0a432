import Type, { type Static } from 'typebox'
import { Level, missionArtifact, WordList } from '../mission.ts'
import { Words } from '../shapes.ts'

const Issue = Type.Object(
  {
    severity: Level('How much it matters.'),
    message: Words('What is wrong.'),
  },
  { description: 'One thing that the reviewer found wrong.' },
)

const schema = Type.Object(
  {
    ...missionArtifact('review_packet'),
    packet_id: Words('What the packet is called.'),
    review_status: Type.Enum(['approved', 'approved_with_edits', 'changes_required', 'rejected'], {
      description: 'What the reviewer decided.',
    }),
    issues: Type.Array(Issue, { description: 'What the reviewer found wrong.' }),
    required_edits: WordList('Edits that the approval depends on.'),
    approved_output: Type.Optional(
      Type.Object(
        { summary: Words('The reviewed answer.') },
        { additionalProperties: Type.Unknown(), description: 'What may go out.' },
      ),
    ),
  },
  { title: 'Review packet', description: 'What came of the one review of a mission.' },
)

/** What came of the one review of a mission. */
export type ReviewPacket = Static<typeof schema>
export default schema
