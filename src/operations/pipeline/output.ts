import { Report } from '../check/output.ts'

/** What every answer about a pipeline begins with. */
export const Head = {
  file: { type: 'string', description: 'The document, from the root.' },
  sha256: { type: 'string', description: 'The digest of its bytes, for a later --expect.' },
  accepted: { type: 'boolean', description: 'Whether the document itself is free of errors.' },
} as const

/** What is wrong with the document. */
export const Diagnostics = Report.properties.diagnostics

const Why = {
  type: 'object',
  required: ['kind', 'on', 'message', 'stuck'],
  properties: {
    kind: {
      enum: [
        'phase',
        'agent',
        'barrier',
        'queue',
        'input',
        'stated',
        'unknown',
        'workflow',
        'fault',
      ],
      description: 'What kind of thing stands in the way.',
    },
    on: { type: 'string', description: 'Its address, name or path.' },
    message: { type: 'string', description: 'What is the matter with it.' },
    stuck: {
      type: 'boolean',
      description: 'Whether somebody has to do something, since nothing under way will mend it.',
    },
  },
  additionalProperties: false,
  description: 'One thing that stands in the way.',
} as const

/** What stands in the way of something. */
export const Reasons = {
  type: 'array',
  items: Why,
  description: 'What stands in the way; empty for what is ready or done.',
} as const

/** A phase, an agent or a barrier, and where it stands. */
export const UnitParts = {
  kind: { enum: ['phase', 'agent', 'barrier'], description: 'What it is.' },
  address: {
    type: 'string',
    description: 'How it is called: pipeline/phase/agent, pipeline/phase, or the id of a barrier.',
  },
  title: { type: ['string', 'null'], description: 'The name that the document gives it.' },
  stated: { type: ['string', 'null'], description: 'The status that the document gives it.' },
  state: {
    enum: ['done', 'running', 'ready', 'waiting', 'blocked', 'failed'],
    description:
      'Where it stands: waiting for what is under way or to come, or blocked until somebody acts.',
  },
  reasons: Reasons,
} as const
