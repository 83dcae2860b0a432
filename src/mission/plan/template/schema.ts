import Type, { type Static } from 'typebox'

const NAME = '^[A-Za-z0-9][A-Za-z0-9_-]*(?![\\s\\S])'
const REFERENCE = '^[A-Za-z0-9][A-Za-z0-9_-]*@[A-Za-z0-9][A-Za-z0-9._-]*(?![\\s\\S])'

const Words = (description: string) => Type.String({ minLength: 1, description })
const List = (description: string) =>
  Type.Optional(Type.Array(Words('One entry, a text that is not empty.'), { description }))
const Count = (description: string) => Type.Optional(Type.Integer({ minimum: 0, description }))
const Named = <const T extends Parameters<typeof Type.Object>[0]>(parts: T, description: string) =>
  Type.Object(parts, { additionalProperties: false, description })

const Defaults = Named(
  {
    risk_level: Type.Enum(['low', 'medium', 'high', 'critical'], {
      description: 'How much can go wrong.',
    }),
    sensitivity_class: Words('How sensitive the data is.'),
    time_budget_ms: Count('Milliseconds that the mission may take.'),
    token_budget: Count('Tokens that the mission may use.'),
    requested_outputs: List('What should come out.'),
  },
  'What the envelope of a mission says where whoever submits it says nothing else.',
)

const Task = Named(
  {
    task_id: Words('What the task is called, once in the mission.'),
    role_type: Type.Enum(
      ['planner', 'prompt_master', 'researcher', 'librarian', 'worker', 'aggregator', 'reviewer'],
      { description: 'Which part the agent plays that does the task.' },
    ),
    objective: Words('What the task is to achieve; may hold placeholders.'),
    depends_on: List('Ids of the tasks that have to be done first.'),
    required_capabilities: List('What the agent must be able to do.'),
    allowed_tools: List('Tools that the agent may use.'),
    required_data_scopes: List('Data that the agent must see.'),
    success_criteria: Type.Array(Words('One criterion; may hold placeholders.'), {
      minItems: 1,
      description: 'How one sees that the task is done: at least one criterion.',
    }),
  },
  'One task, as the graph will have it.',
)

const Retries = Named(
  {
    limit: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 100, description: 'How often a task is tried again.' }),
    ),
    first_ms: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 86_400_000,
        description: 'Milliseconds before it is tried for the second time; later pauses double.',
      }),
    ),
    longest_ms: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 86_400_000,
        description: 'Milliseconds that no pause exceeds.',
      }),
    ),
  },
  'How often and when a task that failed is tried again.',
)

const schema = Type.Object(
  {
    title: Words('What the sort of mission is called.'),
    description: Type.Optional(Words('What such a mission is for.')),
    mission_type: Type.String({
      pattern: NAME,
      description: 'What sort of mission it is, as the envelope says it.',
      examples: ['oracle_advisory'],
    }),
    defaults: Defaults,
    planner: Type.Optional(
      Type.Enum(['template', 'agent'], {
        description: 'Whether the tasks stand here (default), or an agent plans them.',
      }),
    ),
    tasks: Type.Optional(
      Type.Array(Task, {
        maxItems: 10_000,
        description:
          'The tasks of the mission; where an agent plans, at most the one task of planning.',
      }),
    ),
    prompts: Type.Optional(
      Type.Record(
        Type.String(),
        Type.String({
          pattern: REFERENCE,
          description: 'A template of prompts and its version.',
          examples: ['lead_worker@v1'],
        }),
        { description: 'Which prompts a task gets, by task id or by role; the task counts first.' },
      ),
    ),
    agents: Type.Optional(
      Type.Record(Type.String(), Words('The canonical id of an agent.'), {
        description: 'Which agent does a task, where it is not the one of its role, by task id.',
      }),
    ),
    retries: Type.Optional(Retries),
  },
  {
    additionalProperties: false,
    title: 'Mission template',
    description: 'A sort of mission: what its envelope says, and which tasks it has.',
  },
)

/** A mission template as its file has it. */
export type TemplateFile = Static<typeof schema>
export default schema
