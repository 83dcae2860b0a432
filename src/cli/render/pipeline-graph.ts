import type { App } from '../../operations/operation.ts'
import type { PipelineGraphOutput } from '../../operations/pipeline-graph/output.ts'
import type { Style } from '../parse.ts'
import { hang, textWidth, widthOf } from './layout.ts'
import { faultLines, markOf } from './pipeline.ts'

/** The drawing, ready to write to a file; else each node with its predecessors. */
export function text(output: PipelineGraphOutput, style: Style, _: App, quiet: boolean): string {
  const { drawing, file, nodes, edges, diagnostics } = output
  if (drawing !== null) return drawing.trimEnd()
  const before = new Map<string, string[]>()
  for (const { from, to } of edges) {
    const list = before.get(to) ?? []
    before.set(to, list)
    list.push(from)
  }
  const widest = Math.min(
    40,
    nodes.reduce((most, { address }) => Math.max(most, widthOf(address)), 0),
  )
  const lines = nodes.flatMap(({ kind, address, state }) => {
    const after = (before.get(address) ?? []).join(', ')
    const [first = '', ...rest] = hang(
      address,
      widest + 2,
      after ? `← ${after}` : '',
      textWidth() - 2,
    )
    const name = first.slice(0, address.length)
    return [
      `${markOf(state, style)} ${kind === 'agent' ? name : style('bold', name)}${style('dim', first.slice(address.length))}`.trimEnd(),
      ...rest.map(line => style('dim', `  ${line}`)),
    ]
  })
  const faults = faultLines(file, diagnostics, style)
  const hint = style('dim', 'waybill pipeline graph --as svg > pipeline.svg draws it')
  return [
    ...faults,
    ...(faults.length > 0 ? [''] : []),
    ...lines,
    ...(quiet ? [] : ['', hint]),
  ].join('\n')
}
