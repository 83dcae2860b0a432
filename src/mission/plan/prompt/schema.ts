import Type, { type Static } from 'typebox'

const Words = (description: string) => Type.String({ minLength: 1, description })
const Named = <const T extends Parameters<typeof Type.Object>[0]>(parts: T, description: string) =>
  Type.Object(parts, { additionalProperties: false, description })

const Constraints = Named(
  {
    must_cite_sources: Type.Optional(
      Type.Boolean({
        description: 'Whether the result must name what it rests on (default: false).',
      }),
    ),
    must_not_writeback_directly: Type.Optional(
      Type.Literal(true, {
        description: 'Always true, written or not: changes are proposed, never made.',
      }),
    ),
  },
  'What the agent must and must not do.',
)

const Example = Named(
  {
    id: Words('What the example is called.'),
    input: Type.Unknown({ description: 'What an agent was given.' }),
    output: Type.Unknown({ description: 'What a good agent made of it.' }),
  },
  'One example that the agent is shown.',
)

const schema = Type.Object(
  {
    description: Type.Optional(Words('What the prompts are for.')),
    role_type: Type.Enum(
      ['planner', 'prompt_master', 'researcher', 'librarian', 'worker', 'aggregator', 'reviewer'],
      { description: 'Which part the agent plays that gets the prompts.' },
    ),
    system_prompt: Words('What the agent is told about itself; may hold placeholders.'),
    task_prompt: Words('What the agent is told to do; may hold placeholders.'),
    constraints: Type.Optional(Constraints),
    model_route: Words('Which sort of model runs it.'),
    examples: Type.Optional(
      Type.Array(Example, { maxItems: 100, description: 'Examples that the agent is shown.' }),
    ),
  },
  {
    additionalProperties: false,
    title: 'Prompt template',
    description: 'What the agents of one role are told, in one version.',
  },
)

/** A template of prompts as its file has it. */
export type PromptFile = Static<typeof schema>
export default schema
