import Type, { type Static } from 'typebox'
import { missionArtifact } from '../mission.ts'
import { Words } from '../shapes.ts'

const schema = Type.Object(
  {
    ...missionArtifact('policy_decision'),
    decision_id: Words('What the decision is called.'),
    decision_type: Words('What sort of thing is decided on, such as tool_scope or writeback.'),
    subject: Words('What is allowed or denied.'),
    decision: Type.Enum(['allow', 'deny'], { description: 'The decision itself.' }),
    reason: Words('Why it was decided so.'),
  },
  { title: 'Policy decision', description: 'One explicit yes or no of the guard plane.' },
)

/** One explicit yes or no of the guard plane. */
export type PolicyDecision = Static<typeof schema>
export default schema
