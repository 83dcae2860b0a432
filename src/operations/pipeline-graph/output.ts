import type { TypeOf } from '../operation.ts'
import { Diagnostics, Head, UnitParts } from '../pipeline/output.ts'

const Node = {
  type: 'object',
  required: ['kind', 'address', 'title', 'stated', 'state'],
  properties: {
    kind: UnitParts.kind,
    address: UnitParts.address,
    title: UnitParts.title,
    stated: UnitParts.stated,
    state: UnitParts.state,
  },
  additionalProperties: false,
  description: 'One phase, agent or barrier.',
} as const

const Edge = {
  type: 'object',
  required: ['from', 'to'],
  properties: {
    from: { type: 'string', description: 'The address of the earlier unit.' },
    to: { type: 'string', description: 'The address of the unit that depends on it.' },
  },
  additionalProperties: false,
  description: 'One dependency.',
} as const

const schema = {
  type: 'object',
  required: ['file', 'sha256', 'accepted', 'nodes', 'edges', 'as', 'drawing', 'diagnostics'],
  properties: {
    ...Head,
    nodes: { type: 'array', items: Node, description: 'Every phase, agent and barrier.' },
    edges: { type: 'array', items: Edge, description: 'The dependencies.' },
    as: { enum: ['text', 'mermaid', 'svg'], description: 'The requested format.' },
    drawing: {
      type: ['string', 'null'],
      description: 'The graph as Mermaid or SVG; null for text.',
    },
    diagnostics: Diagnostics,
  },
  additionalProperties: false,
  title: 'Output of waybill pipeline graph',
  description: 'The dependency graph of a pipeline.',
} as const

/** A phase, an agent or a barrier as a node of the graph. */
export type GraphNode = TypeOf<typeof Node>

/** The output of `pipeline graph`. */
export type PipelineGraphOutput = TypeOf<typeof schema>
export default schema
