import type { Fields } from '../../contract/index.ts'
import { Report } from '../check/output.ts'
import type { TypeOf } from '../operation.ts'
import shown from '../show/output.ts'

const { facts, sections } = shown.properties.documents.items.properties

const text = (description: string) => ({ type: 'string', description }) as const
const textOrNull = (description: string) => ({ type: ['string', 'null'], description }) as const
const texts = (one: string, description: string) =>
  ({ type: 'array', items: text(one), description }) as const
const flag = (description: string) => ({ type: 'boolean', description }) as const
const score = (description: string) =>
  ({ type: 'number', minimum: 0, maximum: 1, description }) as const

const Session = {
  type: 'object',
  required: ['current', 'stated', 'matches', 'policy', 'outcome'],
  properties: {
    current: text('The receiving session.'),
    stated: textOrNull('The session stated in the context, or null.'),
    matches: flag('Whether the two are the same.'),
    policy: {
      enum: ['reject', 'warn', 'fresh'],
      description: 'The policy for a context of another session.',
    },
    outcome: {
      enum: ['same', 'warned', 'fresh', 'rejected'],
      description: 'The outcome; a context with errors is rejected whatever its session.',
    },
  },
  additionalProperties: false,
  description: 'The comparison of the sessions and its outcome.',
} as const

const Version = {
  type: 'object',
  required: ['stated', 'read', 'compatibility', 'ignored'],
  properties: {
    stated: textOrNull('The version stated in the context, or null.'),
    read: text('The version that this release reads.'),
    compatibility: {
      enum: ['same', 'older', 'newer', 'incompatible'],
      description: 'Versions with the same major number are compatible.',
    },
    ignored: texts(
      'A JSON Pointer.',
      'Fields unknown to this version, left out of the passed context.',
    ),
  },
  additionalProperties: false,
  description: 'The version of the context and its ignored fields.',
} as const

const Families = {
  type: 'object',
  required: ['from', 'to', 'crossed', 'translated', 'before', 'after'],
  properties: {
    from: textOrNull('The family of the source agent; null if not stated.'),
    to: textOrNull('The family of the target agent; null if not stated.'),
    crossed: flag('Whether the two differ.'),
    translated: flag('Whether the findings were reordered for the target.'),
    before: texts('The id of a finding.', 'The findings in their original order.'),
    after: texts('The id of a finding.', 'The findings in the order passed on.'),
  },
  additionalProperties: false,
  description: 'The families of the two agents, and the reordering between them.',
} as const

const Confidence = {
  type: 'object',
  required: ['overall', 'band', 'parts'],
  properties: {
    overall: score('The score from 0 to 1.'),
    band: text('The name of this score range.'),
    parts: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'score', 'band'],
        properties: {
          name: text('The aspect.'),
          score: score('Its score from 0 to 1.'),
          band: text('The name of this score range.'),
        },
        additionalProperties: false,
        description: 'The score of one aspect.',
      },
      description: 'Scores of single aspects.',
    },
  },
  additionalProperties: false,
  description: 'The confidence of the source agent.',
} as const

const NoConfidence = { type: 'null', description: 'Nothing was accepted.' } as const

const Blocker = {
  type: 'object',
  required: ['id', 'severity', 'description'],
  properties: {
    id: text('The id of the blocker.'),
    severity: text('The severity of the blocker.'),
    description: text('What is blocked, and why.'),
    workaround: text('A workaround.'),
    blocks: texts('One action.', 'Actions that have to wait.'),
  },
  additionalProperties: false,
  description: 'One thing that blocks completion.',
} as const

const schema = {
  type: 'object',
  required: [
    'accepted',
    'path',
    'sha256',
    'session',
    'version',
    'families',
    'confidence',
    'blockers',
    'masked',
    'diagnostics',
    'context',
    'contextSha256',
    'output',
    'record',
    'facts',
    'sections',
  ],
  properties: {
    accepted: flag('Whether the context was accepted.'),
    path: text('Path of the context from the root; `-` for standard input.'),
    sha256: textOrNull('SHA-256 of its bytes, in hex; null if unreadable.'),
    session: Session,
    version: Version,
    families: Families,
    confidence: {
      anyOf: [Confidence, NoConfidence],
      description: 'The confidence of the source agent; null if nothing was accepted.',
    },
    blockers: {
      type: 'array',
      items: Blocker,
      description: 'Blockers to resolve before work continues, most severe first.',
    },
    masked: {
      type: 'integer',
      minimum: 0,
      description: 'Number of texts in which a likely credential was masked.',
    },
    diagnostics: Report.properties.diagnostics,
    context: {
      type: ['object', 'null'],
      additionalProperties: {},
      description: 'The session context for the target agent, or null.',
    },
    contextSha256: textOrNull('SHA-256 of the passed context as written, in hex, or null.'),
    output: textOrNull('Path of the written file from the root, or null.'),
    record: text('The name of the record of this decision.'),
    facts,
    sections,
  },
  additionalProperties: false,
  title: 'Output of waybill accept',
  description: 'Whether a session context was accepted, and the context passed on.',
} as const

/** The comparison of the sessions and its outcome. */
export type SessionComparison = TypeOf<typeof Session>

/** One thing that blocks completion. */
export type EscalatedBlocker = TypeOf<typeof Blocker>

/** The output of `accept`. */
export type AcceptOutput = Omit<TypeOf<typeof schema>, 'context'> & {
  readonly context: Fields | null
}
export default schema
