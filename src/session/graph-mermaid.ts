import { spelled } from '../contract/index.ts'
import { COLORS, type Drawing, edgesOf } from './graph.ts'

/**
 * A graph as a Mermaid flowchart.
 *
 * Everything in a label that means something to Mermaid or to HTML is written as a character reference, so that no
 * label can close its quotes, begin a directive, become Markdown or bring markup.
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
  // A label without a character is a syntax error there.
  return lines.join('<br/>').trim() || '#32;'
}
