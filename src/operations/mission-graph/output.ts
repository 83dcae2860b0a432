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
    from: { type: 'string', description: 'The earlier task.' },
    to: { type: 'string', description: 'The task that depends on it.' },
  },
  additionalProperties: false,
  description: 'One dependency.',
} as const

const schema = {
  type: 'object',
  required: ['mission', 'tenant', 'state', 'tasks', 'edges', 'as', 'folded', 'drawing'],
  properties: {
    mission: MissionParts.mission,
    tenant: MissionParts.tenant,
    state: MissionParts.state,
    tasks: { type: 'array', items: Node, description: 'Every task, in the order of its graphs.' },
    edges: { type: 'array', items: Edge, description: 'The dependencies.' },
    as: { enum: ['text', 'mermaid', 'svg'], description: 'The requested format.' },
    folded: {
      type: 'integer',
      minimum: 1,
      description: 'How many tasks one box holds at most; 1 when every task has its own.',
    },
    drawing: {
      type: ['string', 'null'],
      description: 'The graph as Mermaid or SVG; null for text.',
    },
  },
  additionalProperties: false,
  title: 'Output of waybill mission graph',
  description: 'The task graph of a mission.',
} as const

/** The output of `mission graph`. */
export type MissionGraphOutput = TypeOf<typeof schema>
export default schema
