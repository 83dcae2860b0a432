import Type, { type Static } from 'typebox'
import { Digest, Kind, Version } from '../agent-shapes.ts'
import { Time, Words } from '../shapes.ts'

const CLOSED = { additionalProperties: false }

const FreeForm = (description: string) =>
  Type.Record(Type.String(), Type.Unknown(), { description })

const Agent = Type.Object(
  {
    agent_type: Kind('What sort of agent it is.'),
    agent_id: Words('Its canonical id in the manifest; no alias and no shortcut.'),
    agent_version: Version('The version of its prompt.'),
    prompt_hash: Digest('SHA-256 of its prompt, as in the lock, in lower-case hexadecimal digits.'),
  },
  { ...CLOSED, $id: 'agent', description: 'An agent by its id, its version and its prompt.' },
)

const Request = Type.Object(
  {
    type: Type.Enum(['query', 'task', 'analysis', 'decision'], {
      description: 'What sort of request it is.',
    }),
    description: Words('What the target agent is asked to do.'),
    input_data: Type.Unsafe<Record<string, unknown> | string>({
      type: ['object', 'string'],
      description: 'What it needs for that, as an object or a text.',
    }),
    constraints: Type.Array(Type.String({ description: 'One thing to keep to.' }), {
      description: 'What it has to keep to; empty if there is nothing.',
    }),
    expected_output: Words('What should come back.'),
  },
  { ...CLOSED, description: 'What is asked of the target agent.' },
)

const State = Type.Object(
  {
    conversation_history: Type.Array(FreeForm('One message.'), {
      description: 'What was said before; empty if nothing was.',
    }),
    accumulated_context: FreeForm('What is known by now, under keys of your own.'),
    decisions_made: Type.Array(FreeForm('One decision.'), {
      description: 'What was decided before; empty if nothing was.',
    }),
  },
  { ...CLOSED, description: 'What came before the request.' },
)

const Claim = (description: string) => Type.Boolean({ description })

const Governance = Type.Object(
  {
    source_agent_verified: Claim('That the source agent is the one that manifest and lock know.'),
    target_agent_verified: Claim('That the target agent is the one that manifest and lock know.'),
    composition_valid: Claim('That the composition of every archetype concerned is valid.'),
    boundaries_respected: Claim('That the source agent may hand over to the target agent.'),
    audit_trail: Words('Where the handoff is recorded.'),
  },
  { ...CLOSED, description: 'What the sender attests; all of it is computed anew.' },
)

const schema = Type.Object(
  {
    handoff_id: Type.String({
      pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}(?![\\s\\S])',
      format: 'uuid',
      description: 'A UUID of version 4 in lower case, used for this handoff alone.',
      examples: ['550e8400-e29b-41d4-a716-446655440000'],
    }),
    timestamp: Time('When it was handed over, with its zone.'),
    protocol_version: Type.Literal('1.0.0', { description: 'Version of the protocol.' }),
    source_agent: Agent,
    target_agent: Agent,
    context: Type.Object(
      { request: Request, state: State },
      { ...CLOSED, description: 'What is handed over: the request and what came before it.' },
    ),
    governance: Governance,
  },
  {
    ...CLOSED,
    title: 'Agent handoff',
    description: 'One governed transfer of work from an agent to another.',
  },
)

/** One governed transfer of work from an agent to another. */
export type AgentHandoff = Static<typeof schema>
export default schema
