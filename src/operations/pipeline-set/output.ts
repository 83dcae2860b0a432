import type { TypeOf } from '../operation.ts'
import { UnitParts } from '../pipeline/output.ts'

const Against = {
  type: 'object',
  required: ['code', 'message', 'hint'],
  properties: {
    code: { type: 'string', description: 'The violated condition, as a code.' },
    message: { type: 'string', description: 'Why the status cannot be set.' },
    hint: { type: 'string', description: 'What to do first.' },
    line: {
      type: 'integer',
      minimum: 1,
      description: 'The line with the error that the document would have.',
    },
  },
  additionalProperties: false,
  description: 'One reason for the refusal.',
} as const

const Changed = {
  type: 'object',
  required: ['path', 'from', 'to'],
  properties: {
    path: { type: 'string', description: 'The location, as a JSON Pointer.' },
    from: { description: 'The old value; null when there was none.' },
    to: { description: 'The new value.' },
  },
  additionalProperties: false,
  description: 'One change of the document.',
} as const

const Freed = {
  type: 'object',
  required: ['kind', 'address'],
  properties: { kind: UnitParts.kind, address: UnitParts.address },
  additionalProperties: false,
  description: 'One unit.',
} as const

const schema = {
  type: 'object',
  required: [
    'accepted',
    'file',
    'kind',
    'address',
    'from',
    'to',
    'before',
    'after',
    'changes',
    'ready',
    'refused',
    'record',
  ],
  properties: {
    accepted: { type: 'boolean', description: 'Whether the status was set.' },
    file: { type: 'string', description: 'The path of the document, from the root.' },
    kind: UnitParts.kind,
    address: UnitParts.address,
    from: { type: ['string', 'null'], description: 'Its status before; null when it had none.' },
    to: { type: 'string', description: 'The requested status.' },
    before: { type: 'string', description: 'The digest of the document before.' },
    after: {
      type: 'string',
      description: 'The digest of the document afterwards; unchanged when nothing was written.',
    },
    changes: {
      type: 'array',
      items: Changed,
      description: 'All changes: the status and everything derived from it.',
    },
    ready: {
      type: 'array',
      items: Freed,
      description: 'The agents and barriers that became ready.',
    },
    refused: {
      type: 'array',
      items: Against,
      description: 'Why it was refused; empty when accepted.',
    },
    record: {
      type: ['string', 'null'],
      description: 'The digest of the record; null when nothing was written.',
    },
  },
  additionalProperties: false,
  title: 'Output of waybill pipeline set',
  description: 'The result of setting a status.',
} as const

/** The output of `pipeline set`. */
export type PipelineSetOutput = TypeOf<typeof schema>
export default schema
