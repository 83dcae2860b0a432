import type { TypeOf } from '../operation.ts'
import { Diagnostics, Head, UnitParts } from '../pipeline/output.ts'

const count = (description: string) => ({ type: 'integer', minimum: 0, description }) as const

const Counts = {
  type: 'object',
  required: ['total', 'done', 'running', 'ready', 'waiting', 'blocked', 'failed'],
  properties: {
    total: count('How many there are.'),
    done: count('How many are complete.'),
    running: count('How many are under way.'),
    ready: count('How many may begin now.'),
    waiting: count('How many wait for what is under way or to come.'),
    blocked: count('How many wait until somebody acts.'),
    failed: count('How many failed.'),
  },
  additionalProperties: false,
  description: 'How many of them stand where.',
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
    path: { type: 'string', description: 'Where the figure stands, as a JSON Pointer.' },
    stated: { type: 'number', description: 'What the document says.' },
    least: { type: 'number', description: 'The least that the detail allows.' },
    most: {
      type: ['number', 'null'],
      description: 'The most that the detail allows; null where it does not say.',
    },
    agrees: { type: 'boolean', description: 'Whether the figure lies within.' },
  },
  additionalProperties: false,
  description: 'One figure that follows from the detail.',
} as const

const Remark = {
  type: 'object',
  required: ['address', 'message', 'hint'],
  properties: {
    address: { type: 'string', description: 'What it is about.' },
    message: { type: 'string', description: 'How the document disagrees with itself.' },
    hint: { type: 'string', description: 'What may be done about it.' },
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
        id: { type: ['string', 'null'], description: 'What the workflow is called.' },
        status: { type: ['string', 'null'], description: 'Its status, as stated.' },
      },
      additionalProperties: false,
      description: 'The workflow as a whole.',
    },
    counts: {
      type: 'object',
      required: ['phases', 'agents', 'barriers'],
      properties: { phases: Counts, agents: Counts, barriers: Counts },
      additionalProperties: false,
      description: 'What follows from the detail.',
    },
    units: {
      type: 'array',
      items: Listed,
      description: 'Each phase followed by its agents, then the barriers.',
    },
    figures: {
      type: 'array',
      items: Figure,
      description: 'Every derived figure that the document states, beside what follows.',
    },
    checkpoint: {
      type: ['object', 'null'],
      required: ['stated', 'latest', 'agrees'],
      properties: {
        stated: { type: ['string', 'null'], description: 'The last checkpoint, as stated.' },
        latest: { type: ['string', 'null'], description: 'The last of its entries.' },
        agrees: { type: 'boolean', description: 'Whether they are the same.' },
      },
      additionalProperties: false,
      description: 'The last checkpoint; null where the document keeps none.',
    },
    notes: {
      type: 'array',
      items: Remark,
      description: 'Where statuses disagree with each other or with the files that are there.',
    },
    diagnostics: Diagnostics,
  },
  additionalProperties: false,
  title: 'Output of waybill pipeline status',
  description: 'Where a pipeline stands: what is done, ready and blocked, and why.',
} as const

/** A phase, an agent or a barrier in the list. */
export type ListedUnit = TypeOf<typeof Listed>

/** What `pipeline status` answers. */
export type PipelineStatusOutput = Omit<TypeOf<typeof schema>, 'checkpoint'> & {
  readonly checkpoint: {
    readonly stated: string | null
    readonly latest: string | null
    readonly agrees: boolean
  } | null
}
export default schema
