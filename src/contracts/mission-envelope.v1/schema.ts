import Type, { type Static } from 'typebox'
import { artifact, Words } from '../mission.ts'

const Budget = (description: string) => Type.Optional(Type.Integer({ minimum: 0, description }))

const schema = Type.Object(
  {
    ...artifact('mission_envelope'),
    mission_type: Words('What sort of mission it is.'),
    origin_surface: Words('Where the request came from.'),
    tenant_id: Words('Whose mission it is.'),
    actor_id: Words('Who asked for it.'),
    actor_role: Type.Optional(Words('In which role they asked.')),
    user_goal: Words('The goal in the words of the person who asked.'),
    normalized_goal: Words('The goal as the colony understood it.'),
    risk_level: Type.Enum(['low', 'medium', 'high', 'critical'], { description: 'How much can go wrong.' }),
    sensitivity_class: Words('How sensitive the data is.'),
    time_budget_ms: Budget('Milliseconds the mission may take.'),
    token_budget: Budget('Tokens the mission may use.'),
    requested_outputs: Type.Optional(Type.Array(Words('One wanted output.'), { description: 'What should come out.' })),
    context_refs: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'What the mission is about, by id.' }),
    ),
  },
  { title: 'Mission envelope', description: 'The normalised mission before it is taken apart into tasks.' },
)

/** A mission before it is taken apart into tasks. */
export type MissionEnvelope = Static<typeof schema>
export default schema
