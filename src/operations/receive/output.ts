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
    path: text('From the root.'),
    sha256: text('Of its bytes, in hex.'),
    committed: {
      type: ['boolean', 'null'],
      description: 'Whether the commit that is checked out holds the same; null outside of Git.',
    },
  },
  additionalProperties: false,
  description: 'A file that the handoff was judged by.',
} as const

const AgentHashes = {
  type: 'object',
  required: ['agent', 'verified', 'stated', 'expected', 'computed'],
  properties: {
    agent: text('Its canonical id.'),
    verified: flag('Whether id, type, version and prompt are those of manifest, lock and file.'),
    stated: text('SHA-256 of its prompt as the handoff states it, in hex.'),
    expected: textOrNull('The same as the lock pins it; null where it has no entry.'),
    computed: textOrNull('The same of the prompt file; null where it cannot be read.'),
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
      description: 'What the policies decided.',
    },
    determining: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id', 'effect', 'reason'],
        properties: {
          id: text('Its id.'),
          effect: { enum: ['permit', 'forbid', 'none'], description: 'What it does.' },
          reason: text('Why it decides so.'),
          remedy: text('What to do about it.'),
          needs: text('What would have to be there for it not to apply.'),
        },
        additionalProperties: false,
        description: 'One policy.',
      },
      description: 'The policies that determined the decision.',
    },
    set: text('Digest of the whole set of policies, in hex.'),
    errors: texts('One failure.', 'What failed; the decision is then to deny.'),
  },
  additionalProperties: false,
  description: 'What the policies decided, and by which of them.',
} as const

const Signed = {
  type: 'object',
  required: ['sha256', 'keys'],
  properties: {
    sha256: text('Digest of its text, in hex.'),
    keys: texts('One key id.', 'The keys whose signatures are good.'),
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
    source_agent_verified: flag('Whether the source is the agent that manifest and lock know.'),
    target_agent_verified: flag('Whether the target is the agent that manifest and lock know.'),
    composition_valid: flag('Whether every archetype that takes part is composed as it should be.'),
    boundaries_respected: flag('Whether the source may hand over to the target.'),
    agents: { type: 'array', items: AgentHashes, description: 'The source, then the target.' },
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
      anyOf: [Signed, none('It is a bare document, or it is not signed yet.')],
      description: 'Who signed it.',
    },
    policy: {
      anyOf: [PolicyDecision, none('They were not asked: an agent is unknown.')],
      description: 'What the policies decided.',
    },
    checks: texts('A code, or a scanner for secrets.', 'Everything that it was checked for.'),
    notRun: texts('A code.', 'Rules that could not run.'),
  },
  additionalProperties: false,
  description: 'What was computed about the handoff, and from what.',
} as const

const Receipt = {
  type: 'object',
  required: ['index', 'digest', 'leaf', 'path', 'promise'],
  properties: {
    index: { type: 'integer', minimum: 0, description: 'The place of the entry in the log.' },
    digest: text('The name of the entry: SHA-256 of what was signed, in hex.'),
    leaf: text('The hash of its leaf, in hex.'),
    path: texts('One hash in base64.', 'Inclusion path in the tree of its batch.'),
    promise: {
      type: 'object',
      required: ['payloadType', 'payload', 'signatures'],
      properties: {
        payloadType: text('The type of the payload.'),
        payload: text('What is promised, in base64.'),
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
      description: 'What the gateway promises, in a signed envelope (DSSE).',
    },
  },
  additionalProperties: false,
  description: 'The signed promise of the log that it holds the entry.',
} as const

/** What is said of every handoff that goes through a gateway. */
export const Passed = {
  path: text('Where the document is, from the root; `-` for standard input.'),
  handoff: textOrNull('The id of the handoff; null where it is not well-formed.'),
  from: textOrNull('The source agent; null where its id is not well-formed.'),
  to: textOrNull('The target agent; null where its id is not well-formed.'),
  at: text('Gateway time, ISO 8601.'),
  diagnostics: Report.properties.diagnostics,
  requirements: texts('One thing.', 'What is missing, for an answer that asks for it.'),
  quarantined: texts('A canonical id.', 'Agents that are in quarantine since now.'),
  attestation: {
    anyOf: [Attestation, none('The document is no sound handoff.')],
    description: 'What was computed about it; null where its structure is at fault.',
  },
  origin: text('The log in which this is recorded.'),
  receipt: Receipt,
} as const

const schema = {
  type: 'object',
  required: ['answer', ...(Object.keys(Passed) as (keyof typeof Passed)[]), 'receiptFile'],
  properties: {
    answer: {
      enum: ['accepted', 'needs-input', 'rejected'],
      description: 'What the gateway says: only after `accepted` may the target agent be run.',
    },
    ...Passed,
    receiptFile: textOrNull('Where the receipt was written, from the root; null where it was not.'),
    receiptNote: text('Why the receipt was not written; it stands in this answer all the same.'),
  },
  additionalProperties: false,
  title: 'Output of waybill receive',
  description: 'What was decided about a handoff that came in, and the receipt for it.',
} as const

/** What `receive` answers. */
export type ReceiveOutput = TypeOf<typeof schema>
export default schema
