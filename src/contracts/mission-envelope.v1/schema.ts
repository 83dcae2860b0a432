import Type, { type Static } from 'typebox'
import { artifact, Level, WordList } from '../mission.ts'
import { TextOrNull, Words } from '../shapes.ts'

const Budget = (description: string) => Type.Optional(Type.Integer({ minimum: 0, description }))

// Other references belong to the surface where the mission began.
const ContextRefs = Type.Object(
  {
    lead_ids: Type.Optional(WordList('Leads that the mission is about.')),
    page_id: Type.Optional(TextOrNull('The page that the mission is about, if any.')),
    campaign_ids: Type.Optional(WordList('Campaigns that the mission is about.')),
  },
  { additionalProperties: Type.Unknown(), description: 'Ids of the subjects of the mission.' },
)

const schema = Type.Object(
  {
    ...artifact('mission_envelope'),
    mission_type: Words('The type of the mission.'),
    origin_surface: Words('Where the request originated.'),
    tenant_id: Words('The tenant that owns the mission.'),
    actor_id: Words('The person who requested the mission.'),
    actor_role: Type.Optional(Words('The role of that person.')),
    user_goal: Words('The goal in the words of that person.'),
    normalized_goal: Words('The goal as the system understood it.'),
    risk_level: Level('The risk of the mission.'),
    sensitivity_class: Words('How sensitive the data is.'),
    time_budget_ms: Budget('Time limit of the mission in milliseconds.'),
    token_budget: Budget('Token limit of the mission.'),
    requested_outputs: Type.Optional(WordList('The requested outputs.')),
    context_refs: Type.Optional(ContextRefs),
  },
  {
    title: 'Mission envelope',
    description: 'The normalised mission before it is split into tasks.',
  },
)

export type MissionEnvelope = Static<typeof schema>
export default schema
