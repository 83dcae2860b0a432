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
    current: text('The session that receives.'),
    stated: textOrNull('The session that the context states; null where it states none.'),
    matches: flag('Whether the two are the same.'),
    policy: {
      enum: ['reject', 'warn', 'fresh'],
      description: 'What was to be done with a context of another session.',
    },
    outcome: {
      enum: ['same', 'warned', 'fresh', 'rejected'],
      description: 'What came of it; a context that is at fault is rejected whatever its session.',
    },
  },
  additionalProperties: false,
  description: 'The comparison of the sessions, and the choice that was made.',
} as const

const Version = {
  type: 'object',
  required: ['stated', 'read', 'compatibility', 'ignored'],
  properties: {
    stated: textOrNull('The version that the context states; null where it states none.'),
    read: text('The version that is read here.'),
    compatibility: {
      enum: ['same', 'older', 'newer', 'incompatible'],
      description: 'By the table of versions: what has the same major number is compatible.',
    },
    ignored: texts(
      'A JSON Pointer.',
      'Fields that this version does not know: they were left out of what is passed on.',
    ),
  },
  additionalProperties: false,
  description: 'The version of the context, and what of it was ignored.',
} as const

const Families = {
  type: 'object',
  required: ['from', 'to', 'crossed', 'translated', 'before', 'after'],
  properties: {
    from: textOrNull('The family of the source agent; null where the context does not say.'),
    to: textOrNull('The family of the target agent; null where the context does not say.'),
    crossed: flag('Whether they are two different ones.'),
    translated: flag('Whether the findings were put in the order that the target needs.'),
    before: texts('The id of a finding.', 'The findings in the order in which they came.'),
    after: texts('The id of a finding.', 'The findings in the order in which they are passed on.'),
  },
  additionalProperties: false,
  description: 'The families of the two agents, and what was translated between them.',
} as const

const Confidence = {
  type: 'object',
  required: ['overall', 'band', 'parts'],
  properties: {
    overall: score('The score from 0 to 1.'),
    band: text('What people call a score of this height.'),
    parts: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'score', 'band'],
        properties: {
          name: text('The aspect.'),
          score: score('Its score from 0 to 1.'),
          band: text('What people call a score of this height.'),
        },
        additionalProperties: false,
        description: 'The score of one aspect.',
      },
      description: 'Scores of single aspects.',
    },
  },
  additionalProperties: false,
  description: 'How sure the source agent was.',
} as const

const NoConfidence = { type: 'null', description: 'Nothing was accepted.' } as const

const Blocker = {
  type: 'object',
  required: ['id', 'severity', 'description'],
  properties: {
    id: text('What the blocker is called.'),
    severity: text('How much it blocks.'),
    description: text('What is blocked, and by what.'),
    workaround: text('A way around it.'),
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
    accepted: flag('Whether there is something to go on with.'),
    path: text('Where the context is, from the root; `-` for standard input.'),
    sha256: textOrNull('The digest of its bytes; null where they cannot be read.'),
    session: Session,
    version: Version,
    families: Families,
    confidence: {
      anyOf: [Confidence, NoConfidence],
      description: 'How sure the source agent was; null where nothing was accepted.',
    },
    blockers: {
      type: 'array',
      items: Blocker,
      description: 'What somebody has to look at before the work goes on, the worst first.',
    },
    masked: {
      type: 'integer',
      minimum: 0,
      description: 'How many texts held what looks like a credential, which is not passed on.',
    },
    diagnostics: Report.properties.diagnostics,
    context: {
      type: ['object', 'null'],
      additionalProperties: {},
      description: 'What the target agent is to read, a session context; null where none is.',
    },
    contextSha256: textOrNull('The digest of its text as it is written; null where none is.'),
    output: textOrNull('The file that it was written to, from the root; null where none was.'),
    record: text('The name of the record that was made of all this.'),
    facts,
    sections,
  },
  additionalProperties: false,
  title: 'Output of waybill accept',
  description: 'Whether a session context was accepted, and what its receiver is to read.',
} as const

/** How the sessions compared, and what was chosen. */
export type SessionComparison = TypeOf<typeof Session>

/** One thing that blocks completion. */
export type EscalatedBlocker = TypeOf<typeof Blocker>

/** What `accept` answers. */
export type AcceptOutput = Omit<TypeOf<typeof schema>, 'context'> & {
  readonly context: Fields | null
}
export default schema
