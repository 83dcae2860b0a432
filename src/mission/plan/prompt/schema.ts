import Type, { type Static } from 'typebox'

const Words = (description: string) => Type.String({ minLength: 1, description })
const Named = <const T extends Parameters<typeof Type.Object>[0]>(parts: T, description: string) =>
  Type.Object(parts, { additionalProperties: false, description })

const Constraints = Named(
  {
    must_cite_sources: Type.Optional(
      Type.Boolean({
        description: 'Whether the result must cite its sources (default: false).',
      }),
    ),
    must_not_writeback_directly: Type.Optional(
      Type.Literal(true, {
        description: 'Always true, even if absent: changes are proposed, never made.',
      }),
    ),
  },
  'What the agent must and must not do.',
)

const Example = Named(
  {
    id: Words('The name of the example.'),
    input: Type.Unknown({ description: 'The input of the agent.' }),
    output: Type.Unknown({ description: 'A good output for it.' }),
  },
  'An example for the agent.',
)

const schema = Type.Object(
  {
    description: Type.Optional(Words('The purpose of the prompts.')),
    role_type: Type.Enum(
      ['planner', 'prompt_master', 'researcher', 'librarian', 'worker', 'aggregator', 'reviewer'],
      { description: 'The role that the prompts are for.' },
    ),
    system_prompt: Words('The system prompt; may contain placeholders.'),
    task_prompt: Words('The task prompt; may contain placeholders.'),
    constraints: Type.Optional(Constraints),
    model_route: Words('The model route that runs it.'),
    examples: Type.Optional(
      Type.Array(Example, { maxItems: 100, description: 'Examples for the agent.' }),
    ),
  },
  {
    additionalProperties: false,
    title: 'Prompt template',
    description: 'The prompts of one role, in one version.',
  },
)

/** A prompt template as parsed from its file. */
export type PromptFile = Static<typeof schema>
export default schema
