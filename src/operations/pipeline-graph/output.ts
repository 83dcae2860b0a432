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
    from: { type: 'string', description: 'The address of what comes first.' },
    to: { type: 'string', description: 'The address of what waits for it.' },
  },
  additionalProperties: false,
  description: 'One thing that waits for another.',
} as const

const schema = {
  type: 'object',
  required: ['file', 'sha256', 'accepted', 'nodes', 'edges', 'as', 'drawing', 'diagnostics'],
  properties: {
    ...Head,
    nodes: { type: 'array', items: Node, description: 'Every phase, agent and barrier.' },
    edges: { type: 'array', items: Edge, description: 'What waits for what.' },
    as: { enum: ['text', 'mermaid', 'svg'], description: 'How it was to be drawn.' },
    drawing: {
      type: ['string', 'null'],
      description: 'The graph as Mermaid or SVG; null where text was asked for.',
    },
    diagnostics: Diagnostics,
  },
  additionalProperties: false,
  title: 'Output of waybill pipeline graph',
  description: 'What of a pipeline waits for what.',
} as const

/** A phase, an agent or a barrier as a node of the graph. */
export type GraphNode = TypeOf<typeof Node>

/** What `pipeline graph` answers. */
export type PipelineGraphOutput = TypeOf<typeof schema>
export default schema
