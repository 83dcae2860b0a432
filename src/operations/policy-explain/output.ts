import { ListedEntry, LogFacts } from '../log/output.ts'
import type { TypeOf } from '../operation.ts'

const text = (description: string) => ({ type: 'string', description }) as const
const textOrNull = (description: string) => ({ type: ['string', 'null'], description }) as const
const none = (description: string) => ({ type: 'null', description }) as const
const texts = (one: string, description: string) =>
  ({ type: 'array', items: text(one), description }) as const

const Decider = {
  type: 'object',
  required: ['id', 'effect', 'reason', 'needs', 'remedy', 'file', 'line', 'text'],
  properties: {
    id: text('Its id; `policy/failed` or `policy/no-permit` when no policy decided.'),
    effect: { enum: ['permit', 'forbid', 'none'], description: 'Its effect.' },
    reason: text('Its reason, as recorded.'),
    needs: textOrNull('What must exist for it not to apply.'),
    remedy: textOrNull('How to comply.'),
    file: textOrNull('Its file, from the root; null for a policy that is built in or was changed.'),
    line: { type: ['integer', 'null'], description: 'Its line in the file.' },
    text: textOrNull('Its text; null when the policies have changed since.'),
  },
  additionalProperties: false,
  description: 'One policy that determined the decision.',
} as const

const Fact = {
  type: 'object',
  required: ['name', 'value'],
  properties: {
    name: text('The name of the fact in policies.'),
    value: { type: ['string', 'boolean', 'integer'], description: 'Its value.' },
  },
  additionalProperties: false,
  description: 'One fact.',
} as const

const Decision = {
  type: 'object',
  required: [
    ...['decision', 'determining', 'errors', 'set', 'same', 'facts', 'found', 'would'],
    'explanation',
  ],
  properties: {
    decision: { enum: ['allow', 'deny', 'needs-input'], description: 'The decision.' },
    determining: { type: 'array', items: Decider, description: 'The policies that determined it.' },
    errors: texts('One failure.', 'Evaluation failures; they deny.'),
    set: text('The digest of the policy set, in hex.'),
    same: {
      type: ['boolean', 'null'],
      description: 'Whether the policies are still the same; null when unreadable.',
    },
    facts: {
      type: 'array',
      items: Fact,
      description: 'The recorded facts.',
    },
    found: texts('A code.', 'Errors that the rules found.'),
    would: texts('One change.', 'What would change the outcome.'),
    explanation: text('The explanation for people.'),
  },
  additionalProperties: false,
  description: 'A policy decision and what determined it.',
} as const

const Artifact = {
  type: 'object',
  required: [
    ...['schema_name', 'schema_version', 'mission_id', 'decision_id', 'decision_type', 'subject'],
    ...['decision', 'reason', 'created_at', 'producer'],
  ],
  properties: {
    schema_name: { enum: ['policy_decision'], description: 'The contract.' },
    schema_version: { enum: ['v1'], description: 'Its version.' },
    mission_id: text('The mission, or else the handoff, or else a UUID made from the digest.'),
    decision_id: text('The digest of the entry.'),
    decision_type: text('The kind of decision.'),
    subject: text('The source and target agents.'),
    decision: { enum: ['allow', 'deny'], description: 'The decision.' },
    reason: text('The reason.'),
    created_at: text('The time, ISO 8601.'),
    producer: text('The deciding program.'),
  },
  additionalProperties: false,
  description: 'The decision as a policy_decision artifact.',
} as const

const schema = {
  type: 'object',
  required: ['origin', 'asked', 'entry', 'decision', 'byRules', 'others', 'artifact', 'near'],
  properties: {
    origin: LogFacts.origin,
    asked: text('The requested id.'),
    entry: {
      anyOf: [ListedEntry, none('Nothing is recorded.')],
      description: 'The newest entry with a decision about it.',
    },
    decision: {
      anyOf: [Decision, none('The policies were not evaluated.')],
      description: 'The policy decision.',
    },
    byRules: {
      type: 'boolean',
      description:
        'Whether the rules refused it before any policy was evaluated; its codes say which.',
    },
    others: {
      type: 'array',
      items: { type: 'integer', minimum: 0, description: 'An index.' },
      description: 'Earlier entries with a decision about it.',
    },
    artifact: {
      anyOf: [Artifact, none('Not requested.')],
      description: 'The decision as a policy_decision artifact.',
    },
    near: texts('An id.', 'Similar ids, when nothing was found.'),
  },
  additionalProperties: false,
  title: 'Output of waybill policy explain',
  description: 'A policy decision about a handoff, explained.',
} as const

/** A policy decision. */
export type ExplainedDecision = TypeOf<typeof Decision>

/** The output of `policy explain`. */
export type PolicyExplainOutput = TypeOf<typeof schema>
export default schema
