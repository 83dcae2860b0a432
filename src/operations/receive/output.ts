import { Report } from '../check/output.ts'
import type { TypeOf } from '../operation.ts'

const text = (description: string) => ({ type: 'string', description }) as const
const textOrNull = (description: string) => ({ type: ['string', 'null'], description }) as const
const texts = (one: string, description: string) =>
  ({ type: 'array', items: text(one), description }) as const
const flag = (description: string) => ({ type: 'boolean', description }) as const
const none = (description: string) => ({ type: 'null', description }) as const

const GoverningFile = {
  type: 'object',
  required: ['path', 'sha256', 'committed'],
  properties: {
    path: text('The path from the root.'),
    sha256: text('The SHA-256 of its bytes, in hex.'),
    committed: {
      type: ['boolean', 'null'],
      description: 'Whether the checked-out commit has the same bytes; null outside of Git.',
    },
  },
  additionalProperties: false,
  description: 'A file that the check used.',
} as const

const AgentHashes = {
  type: 'object',
  required: ['agent', 'verified', 'stated', 'expected', 'computed'],
  properties: {
    agent: text('Its canonical id.'),
    verified: flag('Whether id, type, version and prompt match manifest, lock and file.'),
    stated: text('The SHA-256 of its prompt in the handoff, in hex.'),
    expected: textOrNull('The same in the lock; null without an entry.'),
    computed: textOrNull('The same of the prompt file; null when unreadable.'),
  },
  additionalProperties: false,
  description: 'One agent of the handoff.',
} as const

const PolicyDecision = {
  type: 'object',
  required: ['decision', 'determining', 'set', 'errors'],
  properties: {
    decision: {
      enum: ['allow', 'deny', 'needs-input'],
      description: 'The decision of the policies.',
    },
    determining: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id', 'effect', 'reason'],
        properties: {
          id: text('Its id.'),
          effect: { enum: ['permit', 'forbid', 'none'], description: 'Its effect.' },
          reason: text('Its reason.'),
          remedy: text('How to comply.'),
          needs: text('What must exist for it not to apply.'),
        },
        additionalProperties: false,
        description: 'One policy.',
      },
      description: 'The policies that determined the decision.',
    },
    set: text('The digest of the policy set, in hex.'),
    errors: texts('One failure.', 'Evaluation failures; they deny.'),
  },
  additionalProperties: false,
  description: 'The policy decision and the policies that determined it.',
} as const

const Signed = {
  type: 'object',
  required: ['sha256', 'keys'],
  properties: {
    sha256: text('The SHA-256 of its text, in hex.'),
    keys: texts('One key id.', 'The keys with valid signatures.'),
  },
  additionalProperties: false,
  description: 'The envelope of the sender.',
} as const

const Attestation = {
  type: 'object',
  required: [
    'source_agent_verified',
    'target_agent_verified',
    'composition_valid',
    'boundaries_respected',
    'agents',
    'configuration',
    'manifest',
    'lock',
    'envelope',
    'policy',
    'checks',
    'notRun',
  ],
  properties: {
    source_agent_verified: flag('Whether the source agent matches manifest and lock.'),
    target_agent_verified: flag('Whether the target agent matches manifest and lock.'),
    composition_valid: flag('Whether the composition of every archetype is valid.'),
    boundaries_respected: flag('Whether the source may hand over to the target.'),
    agents: { type: 'array', items: AgentHashes, description: 'The source and the target.' },
    configuration: {
      anyOf: [GoverningFile, none('There is none.')],
      description: 'The configuration, waybill.yaml.',
    },
    manifest: {
      anyOf: [GoverningFile, none('There is none.')],
      description: 'The manifest.',
    },
    lock: { anyOf: [GoverningFile, none('There is none.')], description: 'The lock.' },
    envelope: {
      anyOf: [Signed, none('The document is unsigned, or not signed yet.')],
      description: 'The signature of the sender.',
    },
    policy: {
      anyOf: [PolicyDecision, none('Not evaluated: an agent is unknown.')],
      description: 'The policy decision.',
    },
    checks: texts('A code, or a secret scanner.', 'Everything that was checked.'),
    notRun: texts('A code.', 'Rules that could not run.'),
  },
  additionalProperties: false,
  description: 'What was computed about the handoff, and its inputs.',
} as const

const Receipt = {
  type: 'object',
  required: ['index', 'digest', 'leaf', 'path', 'promise'],
  properties: {
    index: { type: 'integer', minimum: 0, description: 'The index of the entry in the log.' },
    digest: text('The name of the entry: SHA-256 of the signed bytes, in hex.'),
    leaf: text('The hash of its leaf, in hex.'),
    path: texts('One hash in base64.', 'The inclusion path in its batch tree.'),
    promise: {
      type: 'object',
      required: ['payloadType', 'payload', 'signatures'],
      properties: {
        payloadType: text('The type of the payload.'),
        payload: text('The promise, in base64.'),
        signatures: {
          type: 'array',
          items: {
            type: 'object',
            required: ['keyid', 'sig'],
            properties: { keyid: text('The key.'), sig: text('The signature in base64.') },
            additionalProperties: false,
            description: 'One signature.',
          },
          description: 'The signature of the gateway.',
        },
      },
      additionalProperties: false,
      description: 'The promise of the gateway in a signed envelope (DSSE).',
    },
  },
  additionalProperties: false,
  description: 'The signed promise of the log to include the entry.',
} as const

/** Fields of every handoff that passes a gateway. */
export const Passed = {
  path: text('The document, from the root; `-` for standard input.'),
  handoff: textOrNull('The id of the handoff; null when malformed.'),
  from: textOrNull('The source agent; null when its id is malformed.'),
  to: textOrNull('The target agent; null when its id is malformed.'),
  at: text('The gateway time, ISO 8601.'),
  diagnostics: Report.properties.diagnostics,
  requirements: texts('One requirement.', 'What is missing, for needs-input.'),
  quarantined: texts('A canonical id.', 'Agents that this call put into quarantine.'),
  attestation: {
    anyOf: [Attestation, none('The document is not a valid handoff.')],
    description: 'What was computed; null when the structure is invalid.',
  },
  origin: text('The log that records this.'),
  receipt: Receipt,
} as const

const Received = {
  type: 'object',
  required: ['answer', ...(Object.keys(Passed) as (keyof typeof Passed)[]), 'receiptFile'],
  properties: {
    answer: {
      enum: ['accepted', 'needs-input', 'rejected'],
      description: 'The answer: run the target agent only after `accepted`.',
    },
    ...Passed,
    receiptFile: textOrNull('The receipt file, from the root; null when not written.'),
    receiptNote: text('Why no receipt file was written; the receipt is in this output anyway.'),
  },
  additionalProperties: false,
  description: 'The answer to a received handoff, and its receipt.',
} as const

const Waiting = {
  type: 'object',
  required: ['path', 'handoff', 'from', 'to', 'sent', 'age', 'answered', 'asked'],
  properties: {
    path: text('The document, from the root; its envelope is next to it.'),
    handoff: text('The id of the handoff.'),
    from: textOrNull('The source agent; null when its id is malformed.'),
    to: text('The target agent.'),
    sent: textOrNull('When it was sent, ISO 8601; null when malformed.'),
    age: textOrNull('How long ago that was.'),
    answered: {
      enum: ['needs-input', 'rejected', null],
      description: 'The newest answer here; null when it was not received yet.',
    },
    asked: {
      type: 'object',
      required: ['type', 'description', 'expected', 'constraints'],
      properties: {
        type: textOrNull('The type of request.'),
        description: textOrNull('What the agent is asked to do.'),
        expected: textOrNull('The expected result.'),
        constraints: texts('One constraint.', 'Constraints on the work.'),
      },
      additionalProperties: false,
      description: 'The request in the words of the sender, not verified yet.',
    },
  },
  additionalProperties: false,
  description: 'A handoff that waits.',
} as const

const Inbox = {
  type: 'object',
  required: ['answer', 'as', 'waiting'],
  properties: {
    answer: { const: 'listed', description: 'Nothing was received.' },
    as: textOrNull('The agent that was asked about; null for every agent.'),
    waiting: { type: 'array', items: Waiting, description: 'What waits, oldest first.' },
  },
  additionalProperties: false,
  description: 'The output with --list.',
} as const

const schema = {
  type: 'object',
  anyOf: [Received, Inbox],
  title: 'Output of waybill receive',
  description: 'The answer to a received handoff and its receipt, or what waits.',
} as const

/** The output of `receive` for a handoff. */
export type ReceiveOutput = TypeOf<typeof Received>
/** The output of `receive --list`. */
export type InboxOutput = TypeOf<typeof Inbox>
/** A handoff that waits for its target agent. */
export type WaitingHandoff = InboxOutput['waiting'][number]
export default schema
