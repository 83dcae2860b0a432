import Type, { type Static } from 'typebox'
import { artifact, Level, WordList } from '../mission.ts'
import { TextOrNull, Words } from '../shapes.ts'

const Budget = (description: string) => Type.Optional(Type.Integer({ minimum: 0, description }))

// Other kinds of references are the business of the surface where the mission began.
const ContextRefs = Type.Object(
  {
    lead_ids: Type.Optional(WordList('Leads that the mission is about.')),
    page_id: Type.Optional(TextOrNull('The page that the mission is about, if any.')),
    campaign_ids: Type.Optional(WordList('Campaigns that the mission is about.')),
  },
  { additionalProperties: Type.Unknown(), description: 'What the mission is about, by id.' },
)

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
    risk_level: Level('How much can go wrong.'),
    sensitivity_class: Words('How sensitive the data is.'),
    time_budget_ms: Budget('Milliseconds that the mission may take.'),
    token_budget: Budget('Tokens that the mission may use.'),
    requested_outputs: Type.Optional(WordList('What should come out.')),
    context_refs: Type.Optional(ContextRefs),
  },
  {
    title: 'Mission envelope',
    description: 'The normalised mission before it is taken apart into tasks.',
  },
)

/** A mission before it is taken apart into tasks. */
export type MissionEnvelope = Static<typeof schema>
export default schema
