import Type, { type Static } from 'typebox'
import { Content, missionArtifact } from '../mission.ts'
import { Words } from '../shapes.ts'

const schema = Type.Object(
  {
    ...missionArtifact('writeback_proposal'),
    proposal_id: Words('The id of the proposal.'),
    target_entity_type: Words('The type of the entity to change.'),
    target_entity_id: Words('The id of the entity to change.'),
    action_type: Words('The change to make.'),
    payload: Content('The new values, under keys that fit the action.'),
    requires_approval: Type.Boolean({
      description: 'Whether a person must approve the change first.',
    }),
  },
  {
    title: 'Write-back proposal',
    description: 'A proposed change to the root.',
  },
)

export type WritebackProposal = Static<typeof schema>
export default schema
