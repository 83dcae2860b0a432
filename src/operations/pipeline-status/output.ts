import type { TypeOf } from '../operation.ts'
import { Diagnostics, Head, UnitParts } from '../pipeline/output.ts'

const count = (description: string) => ({ type: 'integer', minimum: 0, description }) as const

const Counts = {
  type: 'object',
  required: ['total', 'done', 'running', 'ready', 'waiting', 'blocked', 'failed'],
  properties: {
    total: count('The total.'),
    done: count('Complete.'),
    running: count('Running.'),
    ready: count('Ready to start.'),
    waiting: count('Waiting for other work.'),
    blocked: count('Blocked until a person acts.'),
    failed: count('Failed.'),
  },
  additionalProperties: false,
  description: 'Counts by state.',
} as const

const Listed = {
  type: 'object',
  required: ['kind', 'address', 'title', 'stated', 'state', 'reasons'],
  properties: UnitParts,
  additionalProperties: false,
  description: 'One phase, agent or barrier.',
} as const

const Figure = {
  type: 'object',
  required: ['path', 'stated', 'least', 'most', 'agrees'],
  properties: {
    path: { type: 'string', description: 'The location of the figure, as a JSON Pointer.' },
    stated: { type: 'number', description: 'The figure in the document.' },
    least: { type: 'number', description: 'The smallest value that the details allow.' },
    most: {
      type: ['number', 'null'],
      description: 'The largest value that the details allow; null when unlimited.',
    },
    agrees: { type: 'boolean', description: 'Whether the figure is in that range.' },
  },
  additionalProperties: false,
  description: 'One figure that can be derived from the details.',
} as const

const Remark = {
  type: 'object',
  required: ['address', 'message', 'hint'],
  properties: {
    address: { type: 'string', description: 'The unit or path it concerns.' },
    message: { type: 'string', description: 'The contradiction.' },
    hint: { type: 'string', description: 'How to fix it.' },
  },
  additionalProperties: false,
  description: 'One contradiction.',
} as const

const schema = {
  type: 'object',
  required: [
    'file',
    'sha256',
    'accepted',
    'workflow',
    'counts',
    'units',
    'figures',
    'checkpoint',
    'notes',
    'diagnostics',
  ],
  properties: {
    ...Head,
    workflow: {
      type: 'object',
      required: ['id', 'status'],
      properties: {
        id: { type: ['string', 'null'], description: 'The id of the workflow.' },
        status: { type: ['string', 'null'], description: 'Its status in the document.' },
      },
      additionalProperties: false,
      description: 'The workflow as a whole.',
    },
    counts: {
      type: 'object',
      required: ['phases', 'agents', 'barriers'],
      properties: { phases: Counts, agents: Counts, barriers: Counts },
      additionalProperties: false,
      description: 'Counts derived from the units.',
    },
    partial: {
      type: 'boolean',
      description: 'Whether invalid parts were left out, so that the counts are of the rest.',
    },
    units: {
      type: 'array',
      items: Listed,
      description: 'Each phase followed by its agents, then the barriers.',
    },
    figures: {
      type: 'array',
      items: Figure,
      description: 'Every figure that can be counted in the valid part, with its allowed range.',
    },
    checkpoint: {
      type: ['object', 'null'],
      required: ['stated', 'latest', 'agrees'],
      properties: {
        stated: {
          type: ['string', 'null'],
          description: 'The last checkpoint that the document names.',
        },
        latest: { type: ['string', 'null'], description: 'The last checkpoint in its list.' },
        agrees: { type: 'boolean', description: 'Whether they are the same.' },
      },
      additionalProperties: false,
      description: 'The last checkpoint; null when the document has none.',
    },
    notes: {
      type: 'array',
      items: Remark,
      description: 'Statuses that contradict each other or the existing files.',
    },
    diagnostics: Diagnostics,
  },
  additionalProperties: false,
  title: 'Output of waybill pipeline status',
  description: 'The state of a pipeline: what is done, ready and blocked, and why.',
} as const

/** A phase, agent or barrier in the list. */
export type ListedUnit = TypeOf<typeof Listed>

/** The output of `pipeline status`. */
export type PipelineStatusOutput = Omit<TypeOf<typeof schema>, 'checkpoint'> & {
  readonly checkpoint: {
    readonly stated: string | null
    readonly latest: string | null
    readonly agrees: boolean
  } | null
}
export default schema
