import type { TypeOf } from '../operation.ts'
import { Diagnostics, Head, Reasons } from '../pipeline/output.ts'

const Startable = {
  type: 'object',
  required: ['address', 'id', 'title', 'input', 'output', 'artifact'],
  properties: {
    address: { type: 'string', description: 'Its pipeline/phase/agent, for pipeline set.' },
    id: { type: 'string', description: 'The id of the agent.' },
    title: { type: ['string', 'null'], description: 'Its title, when it has one.' },
    input: {
      type: ['string', 'null'],
      description: 'The session context that it reads; null when it reads none.',
    },
    output: { type: ['string', 'null'], description: 'The session context that it must write.' },
    artifact: { type: ['string', 'null'], description: 'The file that it must write.' },
  },
  additionalProperties: false,
  description: 'One agent that may start.',
} as const

const Passable = {
  type: 'object',
  required: ['address', 'title', 'artifacts'],
  properties: {
    address: { type: 'string', description: 'The id of the barrier, for pipeline set.' },
    title: { type: ['string', 'null'], description: 'What is exchanged at it.' },
    artifacts: {
      type: 'array',
      items: { type: 'string', description: 'The path of one file.' },
      description: 'The files that must exist to pass it.',
    },
  },
  additionalProperties: false,
  description: 'One barrier that may be passed.',
} as const

const Stuck = {
  type: 'object',
  required: ['address', 'state', 'reasons'],
  properties: {
    address: { type: 'string', description: 'The blocked agent or barrier.' },
    state: { enum: ['blocked', 'failed'], description: 'Whether it is blocked or failed.' },
    reasons: Reasons,
  },
  additionalProperties: false,
  description: 'One unit that needs a person.',
} as const

const schema = {
  type: 'object',
  required: [
    'file',
    'sha256',
    'accepted',
    'complete',
    'agents',
    'barriers',
    'running',
    'stuck',
    'diagnostics',
  ],
  properties: {
    ...Head,
    complete: { type: 'boolean', description: 'Whether everything is done.' },
    agents: {
      type: 'array',
      items: Startable,
      description: 'The agents that may start now, in order; none while the document has errors.',
    },
    barriers: {
      type: 'array',
      items: Passable,
      description: 'The barriers that may be passed now.',
    },
    running: {
      type: 'array',
      items: { type: 'string', description: 'The address of one agent.' },
      description: 'The running agents.',
    },
    stuck: {
      type: 'array',
      items: Stuck,
      description: 'The agents and barriers that need a person.',
    },
    diagnostics: Diagnostics,
  },
  additionalProperties: false,
  title: 'Output of waybill pipeline next',
  description: 'What may start now in a pipeline.',
} as const

/** The output of `pipeline next`. */
export type PipelineNextOutput = TypeOf<typeof schema>
export default schema
