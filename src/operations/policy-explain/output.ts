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
    id: text('Its id; `policy/failed` or `policy/no-permit` where no policy decided.'),
    effect: { enum: ['permit', 'forbid', 'none'], description: 'What it does.' },
    reason: text('Why it decides so, in the words that it had then.'),
    needs: textOrNull('What would have to be there for it not to apply.'),
    remedy: textOrNull('What to do about it.'),
    file: textOrNull(
      'Where it stands, from the root; null for a built-in one, or one that changed.',
    ),
    line: { type: ['integer', 'null'], description: 'Its line there.' },
    text: textOrNull('The policy itself; null where the policies changed since.'),
  },
  additionalProperties: false,
  description: 'One policy that determined the decision.',
} as const

const Fact = {
  type: 'object',
  required: ['name', 'value'],
  properties: {
    name: text('What it is about, as policies call it.'),
    value: { type: ['string', 'boolean', 'integer'], description: 'What was so.' },
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
    decision: { enum: ['allow', 'deny', 'needs-input'], description: 'What was decided.' },
    determining: { type: 'array', items: Decider, description: 'The policies that decided.' },
    errors: texts('One failure.', 'What failed; the decision is then to deny.'),
    set: text('Digest of the policies that decided, in hex.'),
    same: {
      type: ['boolean', 'null'],
      description: 'Whether they are those of today; null where those cannot be read.',
    },
    facts: {
      type: 'array',
      items: Fact,
      description: 'What was known then, as far as it is recorded.',
    },
    found: texts('A code.', 'Errors that the rules had found.'),
    would: texts('One thing.', 'What would change the outcome.'),
    explanation: text('All that in words for a person.'),
  },
  additionalProperties: false,
  description: 'A decision of the policies, and what it was made of.',
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
    mission_id: text(
      'The mission; the handoff where there is none; a UUID made of the digest where neither is known.',
    ),
    decision_id: text('The digest of the entry.'),
    decision_type: text('What was decided on.'),
    subject: text('Who hands to whom.'),
    decision: { enum: ['allow', 'deny'], description: 'What was decided.' },
    reason: text('Why.'),
    created_at: text('When, ISO 8601.'),
    producer: text('Who decided.'),
  },
  additionalProperties: false,
  description: 'The decision as a policy_decision artifact.',
} as const

const schema = {
  type: 'object',
  required: ['origin', 'asked', 'entry', 'decision', 'byRules', 'others', 'artifact', 'near'],
  properties: {
    origin: LogFacts.origin,
    asked: text('What was asked for.'),
    entry: {
      anyOf: [ListedEntry, none('Nothing is recorded about it.')],
      description: 'The entry that is explained: the newest that a decision stands in.',
    },
    decision: {
      anyOf: [Decision, none('The policies were not asked.')],
      description: 'What the policies decided.',
    },
    byRules: {
      type: 'boolean',
      description: 'Whether the rules refused it, and so no policy was asked; its codes say which.',
    },
    others: {
      type: 'array',
      items: { type: 'integer', minimum: 0, description: 'An index.' },
      description: 'Earlier entries about it that a decision stands in.',
    },
    artifact: {
      anyOf: [Artifact, none('It was not asked for.')],
      description: 'The decision in the form of the mission contracts.',
    },
    near: texts('An id.', 'Ids that may have been meant, where nothing was found.'),
  },
  additionalProperties: false,
  title: 'Output of waybill policy explain',
  description: 'Why policies decided so on a handoff.',
} as const

/** A decision of the policies. */
export type ExplainedDecision = TypeOf<typeof Decision>

/** What `policy explain` answers. */
export type PolicyExplainOutput = TypeOf<typeof schema>
export default schema
