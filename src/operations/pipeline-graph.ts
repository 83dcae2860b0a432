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
      description: 'How to draw it (default: text).',
    },
  },
} as const

/** Draws what of a pipeline waits for what. */
export default defineOperation({
  name: 'pipeline graph',
  summary: 'Draw what of a pipeline waits for what, as text, Mermaid or SVG',
  description:
    'A phase leads to its agents, and the agents that end it lead on to the next phase, to barriers and to whatever ' +
    'depends on them. Colours show where each stands.',
  examples: [
    { command: 'waybill pipeline graph', does: 'list everything in order, with what it waits for' },
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
