import { ConflictList, InForceList, SupersededList } from '../in-force/output.ts'
import type { TypeOf } from '../operation.ts'

const textOrNull = (description: string) => ({ type: ['string', 'null'], description }) as const

const Member = {
  type: 'object',
  required: [
    'path',
    'family',
    'handoff',
    'timestamp',
    'mode',
    'adr',
    'branch',
    'agent',
    'session',
    'title',
    'continuesFrom',
    'predecessor',
  ],
  properties: {
    path: { type: 'string', description: 'Path from the root.' },
    family: {
      type: 'integer',
      minimum: 0,
      description: 'Number of its family: documents connected by links.',
    },
    handoff: {
      type: 'boolean',
      description: 'False for a draft or another linked file.',
    },
    timestamp: textOrNull('When it was written, as stated in it, or null.'),
    mode: textOrNull('CREATE or RESUME, as stated in it.'),
    adr: textOrNull('Its decision record.'),
    branch: textOrNull('The branch that it was written on.'),
    agent: textOrNull('Who wrote it.'),
    session: textOrNull('Its session.'),
    title: textOrNull('The heading above its sections.'),
    continuesFrom: textOrNull('The document that it continues, as named in it.'),
    predecessor: textOrNull('Path of that document from the root; null if not found.'),
  },
  additionalProperties: false,
  description: 'One document of the chain.',
} as const

const Problem = {
  type: 'object',
  required: ['code', 'severity', 'message', 'hint', 'documents'],
  properties: {
    code: { type: 'string', description: 'The code; `waybill explain` describes it.' },
    severity: { enum: ['error', 'warning', 'info'], description: 'An error breaks the chain.' },
    message: { type: 'string', description: 'The problem, in words.' },
    hint: { type: 'string', description: 'What to do about it.' },
    documents: {
      type: 'array',
      items: { type: 'string', description: 'Path of one document.' },
      description: 'The documents concerned.',
    },
  },
  additionalProperties: false,
  description: 'A problem with the links, or a note.',
} as const

const schema = {
  type: 'object',
  required: [
    'about',
    'documents',
    'families',
    'problems',
    'whole',
    'drawing',
    'inForce',
    'superseded',
    'conflicts',
  ],
  properties: {
    about: {
      type: ['string', 'null'],
      description: 'The document whose chain this is; null for the whole repository.',
    },
    documents: { type: 'array', items: Member, description: 'The documents, oldest first.' },
    families: {
      type: 'integer',
      minimum: 0,
      description: 'Number of families: groups of documents connected by links.',
    },
    problems: {
      type: 'array',
      items: Problem,
      description: 'Problems with the links and notes, errors first.',
    },
    whole: { type: 'boolean', description: 'Whether no link is broken.' },
    drawing: {
      type: ['string', 'null'],
      description: 'The drawing as Mermaid or SVG; null for text.',
    },
    inForce: InForceList,
    superseded: SupersededList,
    conflicts: ConflictList,
  },
  additionalProperties: false,
  title: 'Output of waybill chain',
  description: 'The handoff documents of a repository and the links between them.',
} as const

/** A document of a chain. */
export type ChainMember = TypeOf<typeof Member>

/** A problem with the links of a chain, or a note. */
export type ChainProblem = TypeOf<typeof Problem>

/** The output of `chain`. */
export type ChainOutput = TypeOf<typeof schema>
export default schema
