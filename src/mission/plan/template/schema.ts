import Type, { type Static } from 'typebox'

const NAME = '^[A-Za-z0-9][A-Za-z0-9_-]*(?![\\s\\S])'
const REFERENCE = '^[A-Za-z0-9][A-Za-z0-9_-]*@[A-Za-z0-9][A-Za-z0-9._-]*(?![\\s\\S])'

const Words = (description: string) => Type.String({ minLength: 1, description })
const List = (description: string) =>
  Type.Optional(Type.Array(Words('One entry, a non-empty text.'), { description }))
const Count = (description: string) => Type.Optional(Type.Integer({ minimum: 0, description }))
const Named = <const T extends Parameters<typeof Type.Object>[0]>(parts: T, description: string) =>
  Type.Object(parts, { additionalProperties: false, description })

const Defaults = Named(
  {
    risk_level: Type.Enum(['low', 'medium', 'high', 'critical'], {
      description: 'The risk of the mission.',
    }),
    sensitivity_class: Words('The sensitivity of the data.'),
    time_budget_ms: Count('Milliseconds that the mission may take.'),
    token_budget: Count('Tokens that the mission may use.'),
    requested_outputs: List('The requested outputs.'),
  },
  'Defaults of the envelope, which a submission may override.',
)

const Task = Named(
  {
    task_id: Words('The id of the task, unique in the mission.'),
    role_type: Type.Enum(
      ['planner', 'prompt_master', 'researcher', 'librarian', 'worker', 'aggregator', 'reviewer'],
      { description: 'The role of the agent that does the task.' },
    ),
    objective: Words('The objective of the task; may contain placeholders.'),
    depends_on: List('Ids of the tasks that must be done first.'),
    required_capabilities: List('Capabilities that the agent needs.'),
    allowed_tools: List('Tools that the agent may use.'),
    required_data_scopes: List('Data that the agent needs.'),
    success_criteria: Type.Array(Words('One criterion; may contain placeholders.'), {
      minItems: 1,
      description: 'Criteria that show that the task is done: at least one.',
    }),
  },
  'One task of the graph.',
)

const Retries = Named(
  {
    limit: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 100, description: 'How often a task is retried.' }),
    ),
    first_ms: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 86_400_000,
        description: 'Milliseconds before the first retry; later delays double.',
      }),
    ),
    longest_ms: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 86_400_000,
        description: 'The longest delay in milliseconds.',
      }),
    ),
  },
  'How often and when a failed task is retried.',
)

const schema = Type.Object(
  {
    title: Words('The title of this kind of mission.'),
    description: Type.Optional(Words('The purpose of such a mission.')),
    mission_type: Type.String({
      pattern: NAME,
      description: 'The mission type in the envelope.',
      examples: ['oracle_advisory'],
    }),
    defaults: Defaults,
    planner: Type.Optional(
      Type.Enum(['template', 'agent'], {
        description: 'Whether the template lists the tasks (default), or an agent plans them.',
      }),
    ),
    tasks: Type.Optional(
      Type.Array(Task, {
        maxItems: 10_000,
        description: 'The tasks of the mission; with planner: agent, at most the planner task.',
      }),
    ),
    prompts: Type.Optional(
      Type.Record(
        Type.String(),
        Type.String({
          pattern: REFERENCE,
          description: 'A prompt template and its version.',
          examples: ['lead_worker@v1'],
        }),
        { description: 'The prompts of a task, by task id or role; the task id wins.' },
      ),
    ),
    agents: Type.Optional(
      Type.Record(Type.String(), Words('The canonical id of an agent.'), {
        description: 'The agent of a task, by task id; the default is the agent of its role.',
      }),
    ),
    retries: Type.Optional(Retries),
  },
  {
    additionalProperties: false,
    title: 'Mission template',
    description: 'A kind of mission: its envelope defaults and its tasks.',
  },
)

/** A mission template as parsed from its file. */
export type TemplateFile = Static<typeof schema>
export default schema
