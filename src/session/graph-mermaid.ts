import { spelled } from '../contract/index.ts'
import { COLORS, type Drawing, edgesOf } from './graph.ts'

/**
 * Draws a graph as a Mermaid flowchart.
 *
 * Characters that are special to Mermaid or HTML are written as character references, so no label can close its
 * quotes, start a directive, or add Markdown or markup.
 */
export function drawMermaid(drawing: Drawing): string {
  const { nodes, direction } = drawing
  const used = [...new Set(nodes.flatMap(({ status }) => status ?? []))].sort()
  return [
    `flowchart ${direction === 'down' ? 'TD' : 'LR'}`,
    ...nodes.map(
      ({ label, status }, i) => `  n${i}["${escapeLabel(label)}"]${status ? `:::${status}` : ''}`,
    ),
    ...edgesOf(drawing).map(({ from, to, label }) =>
      label ? `  n${from} -->|"${escapeLabel(label)}"| n${to}` : `  n${from} --> n${to}`,
    ),
    ...used.map(status => {
      const [fill, stroke, color] = COLORS[status]
      return `  classDef ${status} fill:${fill},stroke:${stroke},color:${color}`
    }),
    '',
  ].join('\n')
}

function escapeLabel(label: string): string {
  const lines = label
    .split(/\r\n|\r|\n/)
    .map(line =>
      spelled(line).replace(
        /["#&<>`%{}|;\\*_~[\]()$]/g,
        character => `#${character.charCodeAt(0)};`,
      ),
    )
  // An empty label is a syntax error in Mermaid.
  return lines.join('<br/>').trim() || '#32;'
}
