import type { TypeOf } from '../operation.ts'
import { Diagnostics, Head, Reasons } from '../pipeline/output.ts'

const Startable = {
  type: 'object',
  required: ['address', 'id', 'title', 'input', 'output', 'artifact'],
  properties: {
    address: { type: 'string', description: 'Its pipeline/phase/agent, for pipeline set.' },
    id: { type: 'string', description: 'What the agent is called.' },
    title: { type: ['string', 'null'], description: 'What it is to do, as far as it is named.' },
    input: {
      type: ['string', 'null'],
      description: 'The session context that it reads, which is there; null where it reads none.',
    },
    output: { type: ['string', 'null'], description: 'The session context that it has to write.' },
    artifact: { type: ['string', 'null'], description: 'The file that it has to write.' },
  },
  additionalProperties: false,
  description: 'One agent that may start.',
} as const

const Passable = {
  type: 'object',
  required: ['address', 'title', 'artifacts'],
  properties: {
    address: { type: 'string', description: 'The id of the barrier, for pipeline set.' },
    title: { type: ['string', 'null'], description: 'What is exchanged there.' },
    artifacts: {
      type: 'array',
      items: { type: 'string', description: 'The path of one file.' },
      description: 'The files that have to be handed over there.',
    },
  },
  additionalProperties: false,
  description: 'One barrier that may be passed.',
} as const

const Stuck = {
  type: 'object',
  required: ['address', 'state', 'reasons'],
  properties: {
    address: { type: 'string', description: 'What cannot go on.' },
    state: { enum: ['blocked', 'failed'], description: 'Whether it is blocked or failed.' },
    reasons: Reasons,
  },
  additionalProperties: false,
  description: 'One thing that waits until somebody acts.',
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
      description: 'The agents that may start now, in order; none while the document is rejected.',
    },
    barriers: {
      type: 'array',
      items: Passable,
      description: 'The barriers that may be passed now.',
    },
    running: {
      type: 'array',
      items: { type: 'string', description: 'The address of one agent.' },
      description: 'The agents that are under way.',
    },
    stuck: {
      type: 'array',
      items: Stuck,
      description: 'The agents and barriers that wait until somebody acts.',
    },
    diagnostics: Diagnostics,
  },
  additionalProperties: false,
  title: 'Output of waybill pipeline next',
  description: 'What of a pipeline may begin now.',
} as const

/** What `pipeline next` answers. */
export type PipelineNextOutput = TypeOf<typeof schema>
export default schema
