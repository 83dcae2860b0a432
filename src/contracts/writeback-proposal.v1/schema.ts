import Type, { type Static } from 'typebox'
import { Content, missionArtifact } from '../mission.ts'
import { Words } from '../shapes.ts'

const schema = Type.Object(
  {
    ...missionArtifact('writeback_proposal'),
    proposal_id: Words('What the proposal is called.'),
    target_entity_type: Words('What sort of thing would change.'),
    target_entity_id: Words('The thing that would change.'),
    action_type: Words('What would be done to it.'),
    payload: Content('The new values, under keys that fit the action.'),
    requires_approval: Type.Boolean({
      description: 'Whether somebody has to approve the change first.',
    }),
  },
  {
    title: 'Write-back proposal',
    description: 'A change to the root that is proposed, and not made.',
  },
)

/** A change to the root that is proposed, and not made. */
export type WritebackProposal = Static<typeof schema>
export default schema
