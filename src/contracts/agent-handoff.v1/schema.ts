import Type, { type Static } from 'typebox'
import { Digest, Kind, Version } from '../agent-shapes.ts'
import { StandardTime, Words } from '../shapes.ts'

const CLOSED = { additionalProperties: false }

const FreeForm = (description: string) =>
  Type.Record(Type.String(), Type.Unknown(), { description })

const Agent = Type.Object(
  {
    agent_type: Kind('The type of the agent.'),
    agent_id: Words('Its canonical id in the manifest, not an alias or shortcut.'),
    agent_version: Version('The version of its prompt.'),
    prompt_hash: Digest('SHA-256 of its prompt, as in the lock, in lower-case hex.'),
  },
  { ...CLOSED, $id: 'agent', description: 'An agent: its id, version and prompt.' },
)

const Request = Type.Object(
  {
    type: Type.Enum(['query', 'task', 'analysis', 'decision'], {
      description: 'The type of request.',
    }),
    description: Words('What the target agent should do.'),
    input_data: Type.Unsafe<Record<string, unknown> | string>({
      type: ['object', 'string'],
      description: 'The input for the request, as an object or a text.',
    }),
    constraints: Type.Array(Type.String({ description: 'One constraint.' }), {
      description: 'Constraints on the work; empty if there are none.',
    }),
    expected_output: Words('The expected result.'),
  },
  { ...CLOSED, description: 'The request to the target agent.' },
)

const State = Type.Object(
  {
    conversation_history: Type.Array(FreeForm('One message.'), {
      description: 'Earlier messages; empty if there are none.',
    }),
    accumulated_context: FreeForm('What is known so far, under keys of your choice.'),
    decisions_made: Type.Array(FreeForm('One decision.'), {
      description: 'Earlier decisions; empty if there are none.',
    }),
  },
  { ...CLOSED, description: 'The context of the request.' },
)

const Claim = (description: string) => Type.Boolean({ description })

const Governance = Type.Object(
  {
    source_agent_verified: Claim('Whether the source agent matches manifest and lock.'),
    target_agent_verified: Claim('Whether the target agent matches manifest and lock.'),
    composition_valid: Claim('Whether the composition of each archetype involved is valid.'),
    boundaries_respected: Claim('Whether the source agent may hand over to the target agent.'),
    audit_trail: Words('Where the handoff is recorded.'),
  },
  { ...CLOSED, description: 'Claims of the sender; the receiver recomputes all of them.' },
)

const schema = Type.Object(
  {
    handoff_id: Type.String({
      pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}(?![\\s\\S])',
      format: 'uuid',
      description: 'A UUID of version 4 in lower case, used for this handoff only.',
      examples: ['550e8400-e29b-41d4-a716-446655440000'],
    }),
    timestamp: StandardTime('When it was handed over, with its zone.'),
    protocol_version: Type.Literal('1.0.0', { description: 'Version of the protocol.' }),
    source_agent: Agent,
    target_agent: Agent,
    context: Type.Object(
      { request: Request, state: State },
      { ...CLOSED, description: 'The request and its context.' },
    ),
    governance: Governance,
  },
  {
    ...CLOSED,
    title: 'Agent handoff',
    description: 'One governed transfer of work from one agent to another.',
  },
)

export type AgentHandoff = Static<typeof schema>
export default schema
