import type { TypeOf } from '../operation.ts'

const said = (description: string) => ({ type: ['string', 'null'], description }) as const

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
    path: { type: 'string', description: 'Where it is, from the root.' },
    family: {
      type: 'integer',
      minimum: 0,
      description: 'Which of the families it is in: documents that links hold together.',
    },
    handoff: {
      type: 'boolean',
      description: 'False for a draft, or another file that a link leads to.',
    },
    timestamp: said('When it was written, as it says itself; null where it does not.'),
    mode: said('CREATE or RESUME, as it says itself.'),
    adr: said('The decision record that it belongs to.'),
    branch: said('The branch that it was written on.'),
    agent: said('Who wrote it.'),
    session: said('The session that it belongs to.'),
    title: said('The heading above its sections.'),
    continuesFrom: said('The document that it carries on, as it names it.'),
    predecessor: said(
      'The document that this leads to, from the root; null where it leads nowhere.',
    ),
  },
  additionalProperties: false,
  description: 'One document of the chain.',
} as const

const Problem = {
  type: 'object',
  required: ['code', 'severity', 'message', 'hint', 'documents'],
  properties: {
    code: { type: 'string', description: 'What it is, as a code that `waybill explain` knows.' },
    severity: { enum: ['error', 'warning', 'info'], description: 'An error breaks the chain.' },
    message: { type: 'string', description: 'What it is, in words.' },
    hint: { type: 'string', description: 'What to do about it.' },
    documents: {
      type: 'array',
      items: { type: 'string', description: 'The path of one document.' },
      description: 'The documents that it is about.',
    },
  },
  additionalProperties: false,
  description: 'Something wrong with the links, or worth knowing.',
} as const

const schema = {
  type: 'object',
  required: ['about', 'documents', 'families', 'problems', 'whole', 'drawing'],
  properties: {
    about: {
      type: ['string', 'null'],
      description: 'The document whose chain this is; null for the whole repository.',
    },
    documents: { type: 'array', items: Member, description: 'The documents, the oldest first.' },
    families: {
      type: 'integer',
      minimum: 0,
      description: 'How many families they form that no link joins.',
    },
    problems: {
      type: 'array',
      items: Problem,
      description: 'What is wrong with the links or worth knowing, errors first.',
    },
    whole: { type: 'boolean', description: 'Whether no link is broken.' },
    drawing: {
      type: ['string', 'null'],
      description: 'The picture that was asked for, as Mermaid or SVG; null for text.',
    },
  },
  additionalProperties: false,
  title: 'Output of waybill chain',
  description: 'The handoff documents of a repository and how each carries on another.',
} as const

/** A document of a chain. */
export type ChainMember = TypeOf<typeof Member>

/** Something wrong with the links of a chain, or worth knowing. */
export type ChainProblem = TypeOf<typeof Problem>

/** What `chain` answers. */
export type ChainOutput = TypeOf<typeof schema>
export default schema
