import { Report } from '../check/output.ts'

/** Fields of every pipeline output. */
export const Head = {
  file: { type: 'string', description: 'The path of the document, from the root.' },
  sha256: { type: 'string', description: 'Its digest, for --expect.' },
  accepted: { type: 'boolean', description: 'Whether the document has no errors.' },
} as const

/** The diagnostics of the document. */
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
      description: 'The kind of blocker.',
    },
    on: { type: 'string', description: 'Its address, name or path.' },
    message: { type: 'string', description: 'Why it blocks.' },
    stuck: {
      type: 'boolean',
      description: 'Whether a person must act because no running work will resolve it.',
    },
  },
  additionalProperties: false,
  description: 'One blocker.',
} as const

/** What blocks a unit. */
export const Reasons = {
  type: 'array',
  items: Why,
  description: 'The blockers; empty when ready or done.',
} as const

/** A phase, agent or barrier and its state. */
export const UnitParts = {
  kind: { enum: ['phase', 'agent', 'barrier'], description: 'The kind of unit.' },
  address: {
    type: 'string',
    description: 'Its address: pipeline/phase/agent, pipeline/phase, or a barrier id.',
  },
  title: { type: ['string', 'null'], description: 'Its name in the document.' },
  stated: { type: ['string', 'null'], description: 'Its status in the document.' },
  state: {
    enum: ['done', 'running', 'ready', 'waiting', 'blocked', 'failed'],
    description: 'Its state: waiting for other work, or blocked until a person acts.',
  },
  reasons: Reasons,
} as const
