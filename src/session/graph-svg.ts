import { spelled } from '../contract/index.ts'
import { COLORS, type Drawing, edgesOf } from './graph.ts'
import type { Layers } from './graph-layers.ts'
import { waysOf } from './graph-ways.ts'

const LETTER = 7.3
const LINE = 18
const PADDING = 12
/** Space between layers, including the arrows, and between neighbours. */
const BETWEEN = { layers: 64, neighbours: 20 }
const MARGIN = 16
const LONGEST_LINE = 44
const MOST_LINES = 12
/** Width of the gap through which an edge passes a layer. */
const LANE = 8

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/**
 * Draws a graph as an SVG picture in layers, from left to right or top to bottom.
 *
 * It has no scripts, style sheets or external references. Labels are plain text; a shortened label has its full text
 * as a tooltip.
 */
export function drawSvg(drawing: Drawing, title: string): string {
  const edges = edgesOf(drawing)
  const { ways, layers } = waysOf(drawing.nodes.length, edges)
  const texts = drawing.nodes.map(({ label }) => linesOf(label))
  const down = drawing.direction === 'down'
  const { boxes, width, height } = place(texts, layers, down)
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="12">`,
    `<title>${escapeText(title)}</title>`,
    '<defs><marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto-start-reverse"><path d="M0 0 8 4 0 8z" fill="#6e7781"/></marker></defs>',
    ...edges.map(({ label }, i) => drawEdge(ways[i] ?? [], boxes, label, down)),
    ...drawing.nodes.map(({ label, status }, i) =>
      drawNode(boxes[i], texts[i] ?? [], COLORS[status ?? 'waiting'], {
        label,
        dashed: status === 'missing',
      }),
    ),
    '</svg>',
    '',
  ]
  return parts.join('\n')
}

function linesOf(label: string): string[] {
  const lines = label.split(/\r\n|\r|\n/).map(spelled)
  const shown = lines.length > MOST_LINES ? [...lines.slice(0, MOST_LINES - 1), '…'] : lines
  return shown.map(line => {
    const characters = [...line]
    return characters.length > LONGEST_LINE
      ? `${characters.slice(0, LONGEST_LINE - 1).join('')}…`
      : line
  })
}

/** Places the boxes of each layer side by side, centred on the widest layer; gaps for edges span the layer. */
function place(texts: readonly (readonly string[])[], { layers }: Layers, down: boolean) {
  const sizes = texts.map(lines => ({
    width: Math.ceil(Math.max(4, ...lines.map(columnsOf)) * LETTER) + 2 * PADDING,
    height: lines.length * LINE + PADDING,
  }))
  const along = (i: number) => (down ? sizes[i]?.height : sizes[i]?.width) ?? 0
  const across = (i: number) => (down ? sizes[i]?.width : sizes[i]?.height) ?? LANE
  const breadths = layers.map(layer =>
    layer.reduce((sum, i) => sum + across(i) + BETWEEN.neighbours, -BETWEEN.neighbours),
  )
  const breadth = breadths.reduce((a, b) => Math.max(a, b), 0)
  const boxes: Box[] = []
  let depth = MARGIN
  for (const [l, layer] of layers.entries()) {
    let at = MARGIN + (breadth - (breadths[l] ?? 0)) / 2
    const length = layer.reduce((most, i) => Math.max(most, along(i)), 0)
    const lane = down ? { width: LANE, height: length } : { width: length, height: LANE }
    for (const i of layer) {
      const size = sizes[i] ?? lane
      boxes[i] = down ? { x: at, y: depth, ...size } : { x: depth, y: at, ...size }
      at += across(i) + BETWEEN.neighbours
    }
    depth += length + BETWEEN.layers
  }
  const [long, wide] = [depth - BETWEEN.layers + MARGIN, breadth + 2 * MARGIN]
  const total = layers.length === 0 ? [2 * MARGIN, 2 * MARGIN] : down ? [wide, long] : [long, wide]
  return { boxes, width: Math.ceil(total[0] ?? 0), height: Math.ceil(total[1] ?? 0) }
}

/** East Asian characters and emoji take two columns. */
function columnsOf(line: string): number {
  let columns = 0
  for (const character of line)
    columns += /[\u1100-\u115f\u2e80-\uffff]|[\u{10000}-\u{10ffff}]/u.test(character) ? 2 : 1
  return columns
}

function drawNode(
  box: Box | undefined,
  lines: readonly string[],
  [fill, stroke, color]: readonly [string, string, string],
  { label, dashed }: { label: string; dashed: boolean },
): string {
  if (!box) return ''
  const { x, y, width, height } = box
  const text = lines.map(
    (line, i) =>
      `<text x="${round(x + PADDING)}" y="${round(y + PADDING / 2 + LINE * (i + 1) - 5)}" fill="${color}"${i === 0 ? ' font-weight="600"' : ''}>${escapeText(line)}</text>`,
  )
  return [
    `<g><title>${escapeText(spelled(label.replace(/[\r\n]+/g, ' · ')))}</title>`,
    `<rect x="${round(x)}" y="${round(y)}" width="${width}" height="${height}" rx="6" fill="${fill}" stroke="${stroke}"${dashed ? ' stroke-dasharray="4 3"' : ''}/>`,
    ...text,
    '</g>',
  ].join('')
}

/** An edge from box to box, straight through the gaps in between. */
function drawEdge(
  way: readonly number[],
  boxes: readonly Box[],
  label: string | undefined,
  down: boolean,
): string {
  const [first, ...others] = way.flatMap(i => boxes[i] ?? [])
  if (!first) return ''
  let path = `M${exitOf(first, down).map(round).join(' ')}`
  let from = first
  for (const to of others) {
    if (from !== first) path += `L${exitOf(from, down).map(round).join(' ')}`
    path += curve(exitOf(from, down), entryOf(to, down), down)
    from = to
  }
  const drawn = `<path d="${path}" fill="none" stroke="#6e7781" marker-end="url(#arrow)"/>`
  const [second] = others
  if (!label || !second) return drawn
  const [[x1, y1], [x2, y2]] = [exitOf(first, down), entryOf(second, down)]
  const at = `x="${round((x1 + x2) / 2)}" y="${round((y1 + y2) / 2 - 4)}"`
  return `${drawn}<text ${at} text-anchor="middle" font-size="10" fill="#6e7781">${escapeText(linesOf(label)[0] ?? '')}</text>`
}

type Point = readonly [x: number, y: number]

function exitOf({ x, y, width, height }: Box, down: boolean): Point {
  return down ? [x + width / 2, y + height] : [x + width, y + height / 2]
}

function entryOf({ x, y, width, height }: Box, down: boolean): Point {
  return down ? [x + width / 2, y] : [x, y + height / 2]
}

function curve([x1, y1]: Point, [x2, y2]: Point, down: boolean): string {
  // An edge against the direction leaves like the others and curves back.
  const bend = Math.max(24, Math.abs(down ? y2 - y1 : x2 - x1) / 2)
  const bends = down ? [x1, y1 + bend, x2, y2 - bend] : [x1 + bend, y1, x2 - bend, y2]
  return `C${[...bends, x2, y2].map(round).join(' ')}`
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

/** Escapes XML; characters that XML does not allow are already spelled out. */
function escapeText(text: string): string {
  return spelled(text)
    .replace(/[\ufffe\uffff]/g, '\ufffd')
    .replace(/[<>&"']/g, character => `&#${character.charCodeAt(0)};`)
}
