import type { TypeOf } from '../operation.ts'
import { UnitParts } from '../pipeline/output.ts'

const Against = {
  type: 'object',
  required: ['code', 'message', 'hint'],
  properties: {
    code: { type: 'string', description: 'What must hold, as a code.' },
    message: { type: 'string', description: 'Why the status cannot be set.' },
    hint: { type: 'string', description: 'What to do first.' },
    line: {
      type: 'integer',
      minimum: 1,
      description: 'The line that would be at fault, where the document would be.',
    },
  },
  additionalProperties: false,
  description: 'One reason to refuse.',
} as const

const Changed = {
  type: 'object',
  required: ['path', 'from', 'to'],
  properties: {
    path: { type: 'string', description: 'What was changed, as a JSON Pointer.' },
    from: { description: 'What stood there; null where nothing did.' },
    to: { description: 'What stands there now.' },
  },
  additionalProperties: false,
  description: 'One change of the document.',
} as const

const Freed = {
  type: 'object',
  required: ['kind', 'address'],
  properties: { kind: UnitParts.kind, address: UnitParts.address },
  additionalProperties: false,
  description: 'One of them.',
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
    accepted: { type: 'boolean', description: 'Whether the status stands in the document now.' },
    file: { type: 'string', description: 'The document, from the root.' },
    kind: UnitParts.kind,
    address: UnitParts.address,
    from: { type: ['string', 'null'], description: 'Its status before; null where it had none.' },
    to: { type: 'string', description: 'The status that was asked for.' },
    before: { type: 'string', description: 'The digest of the bytes that were read.' },
    after: {
      type: 'string',
      description:
        'The digest of the bytes that stand there now; as before where nothing was written.',
    },
    changes: {
      type: 'array',
      items: Changed,
      description: 'Everything that was changed: the status, and what follows from it.',
    },
    ready: {
      type: 'array',
      items: Freed,
      description: 'The agents and barriers that became ready by it.',
    },
    refused: {
      type: 'array',
      items: Against,
      description: 'Why it was refused; empty where it was not.',
    },
    record: {
      type: ['string', 'null'],
      description: 'The digest of the record that was kept; null where nothing was written.',
    },
  },
  additionalProperties: false,
  title: 'Output of waybill pipeline set',
  description: 'What came of setting a status.',
} as const

/** What `pipeline set` answers. */
export type PipelineSetOutput = TypeOf<typeof schema>
export default schema
