import { MissionParts, TaskParts } from '../mission/output.ts'
import type { TypeOf } from '../operation.ts'

const Node = {
  type: 'object',
  required: ['task', 'role', 'agent', 'state', 'attempt'],
  properties: {
    task: TaskParts.task,
    role: TaskParts.role,
    agent: TaskParts.agent,
    state: TaskParts.state,
    attempt: TaskParts.attempt,
  },
  additionalProperties: false,
  description: 'One task.',
} as const

const Edge = {
  type: 'object',
  required: ['from', 'to'],
  properties: {
    from: { type: 'string', description: 'The task that comes first.' },
    to: { type: 'string', description: 'The task that waits for it.' },
  },
  additionalProperties: false,
  description: 'One task that waits for another.',
} as const

const schema = {
  type: 'object',
  required: ['mission', 'tenant', 'state', 'tasks', 'edges', 'as', 'folded', 'drawing'],
  properties: {
    mission: MissionParts.mission,
    tenant: MissionParts.tenant,
    state: MissionParts.state,
    tasks: { type: 'array', items: Node, description: 'Every task, in the order of its graphs.' },
    edges: { type: 'array', items: Edge, description: 'What waits for what.' },
    as: { enum: ['text', 'mermaid', 'svg'], description: 'How it was to be drawn.' },
    folded: {
      type: 'integer',
      minimum: 1,
      description: 'How many tasks one box stands for at most; 1 where every task has its own.',
    },
    drawing: {
      type: ['string', 'null'],
      description: 'The graph as Mermaid or SVG; null where text was asked for.',
    },
  },
  additionalProperties: false,
  title: 'Output of waybill mission graph',
  description: 'What of a mission waits for what.',
} as const

/** What `mission graph` answers. */
export type MissionGraphOutput = TypeOf<typeof schema>
export default schema
