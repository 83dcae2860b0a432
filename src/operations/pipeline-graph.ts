import { drawingOf, drawMermaid, drawSvg, pipelineGraph, titleOf } from '../session/index.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'
import { FILE } from './pipeline/find.ts'
import { openPipeline } from './pipeline/open.ts'
import type { PipelineGraphOutput } from './pipeline-graph/output.ts'

const input = {
  type: 'object',
  properties: {
    file: FILE,
    as: {
      type: 'string',
      enum: ['text', 'mermaid', 'svg'],
      description: 'The format (default: text).',
    },
  },
} as const

/** Draws the dependency graph of a pipeline. */
export default defineOperation({
  name: 'pipeline graph',
  summary: 'Draw the dependency graph of a pipeline as text, Mermaid or SVG',
  description:
    'Edges lead from each phase to its agents, and from its last agents to the next phase, to barriers and to everything ' +
    'that depends on them. Colours show the states. Exits with 1 when the document has errors.',
  examples: [
    { command: 'waybill pipeline graph', does: 'list all units in order with their dependencies' },
    { command: 'waybill pipeline graph --as mermaid', does: 'print a flowchart for Markdown' },
    { command: 'waybill pipeline graph --as svg > pipeline.svg', does: 'draw a picture' },
  ],
  actor: 'any',
  effect: 'read',
  input,
  run: (given, app) => graph(given, app),
  failed: output => !output.accepted,
})

async function graph(given: TypeOf<typeof input>, app: App): Promise<PipelineGraphOutput> {
  const { path, sha256, report, value, standing, show } = await openPipeline(given.file, app)
  const found = pipelineGraph(standing)
  const as = given.as === 'mermaid' || given.as === 'svg' ? given.as : 'text'
  const drawing = show(drawingOf(found, value))
  return {
    ...show({
      file: path,
      sha256,
      accepted: report.accepted,
      nodes: found.nodes.map(unit => {
        const { kind, address, stated, state } = unit
        return { kind, address, title: titleOf(unit, value) ?? null, stated: stated ?? null, state }
      }),
      edges: found.edges,
      diagnostics: report.diagnostics,
    }),
    as,
    drawing: as === 'mermaid' ? drawMermaid(drawing) : as === 'svg' ? drawSvg(drawing, path) : null,
  }
}
