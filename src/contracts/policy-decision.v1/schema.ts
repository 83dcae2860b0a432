import Type, { type Static } from 'typebox'
import { missionArtifact } from '../mission.ts'
import { Words } from '../shapes.ts'

const schema = Type.Object(
  {
    ...missionArtifact('policy_decision'),
    decision_id: Words('The id of the decision.'),
    decision_type: Words('The type of the subject, such as tool_scope or writeback.'),
    subject: Words('The subject that is allowed or denied.'),
    decision: Type.Enum(['allow', 'deny'], {
      description: 'Whether the subject is allowed or denied.',
    }),
    reason: Words('The reason for the decision.'),
  },
  { title: 'Policy decision', description: 'An explicit allow or deny of a policy.' },
)

export type PolicyDecision = Static<typeof schema>
export default schema
