/** One line of a chart. */
interface Line {
  readonly name: string
  readonly points: readonly (readonly [x: number, percent: number])[]
}

/** One of the charts of a picture. */
export interface Panel {
  readonly title: string
  readonly lines: readonly Line[]
}

/** Colours that people with colour blindness tell apart, each with its dashes. */
const STYLES = [
  { stroke: '#0072b2', dashes: 'none' },
  { stroke: '#d55e00', dashes: '7 3' },
  { stroke: '#009e73', dashes: '2 3' },
  { stroke: '#7f4f9f', dashes: '9 3 2 3' },
] as const
const WIDTH = 380
const HEIGHT = 210
const MARGIN = { left: 52, top: 34, right: 16, bottom: 38 }
const HEAD = 64

/** Draws line charts of percentages, two in a row, as an SVG picture without scripts or style sheets. */
export function drawLines(title: string, xTitle: string, panels: readonly Panel[]): string {
  const [width, height] = [2 * WIDTH, HEAD + Math.ceil(panels.length / 2) * HEIGHT]
  const names = panels[0]?.lines.map(({ name }) => name) ?? []
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" font-family="system-ui, sans-serif" font-size="12" fill="#24292f">`,
    `<title>${title}</title>`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    `<text x="${width / 2}" y="24" text-anchor="middle" font-size="15">${title}</text>`,
    ...names.map((name, i) => legend(name, i, width / names.length)),
    ...panels.map((panel, i) =>
      drawPanel(panel, xTitle, (i % 2) * WIDTH, HEAD + (i >> 1) * HEIGHT),
    ),
    '</svg>',
    '',
  ].join('\n')
}

function legend(name: string, i: number, width: number): string {
  const x = i * width + 20
  return `<path d="M${x} 48h30" ${look(i)}/><text x="${x + 36}" y="52">${name}</text>`
}

function drawPanel({ title, lines }: Panel, xTitle: string, left: number, top: number): string {
  const xs = lines.flatMap(({ points }) => points.map(([x]) => x))
  const [first, last] = [Math.min(...xs), Math.max(...xs)]
  const [wide, high] = [WIDTH - MARGIN.left - MARGIN.right, HEIGHT - MARGIN.top - MARGIN.bottom]
  const x = (value: number) => round(MARGIN.left + ((value - first) / (last - first)) * wide)
  const y = (percent: number) => round(MARGIN.top + (1 - percent / 100) * high)
  const ticks = [first, 10, 20, 30, 40, 50].filter(tick => tick >= first && tick <= last)
  return [
    `<g transform="translate(${left} ${top})">`,
    `<text x="${MARGIN.left}" y="${MARGIN.top - 12}" font-weight="600">${title}</text>`,
    ...[0, 50, 100].map(
      percent =>
        `<path d="M${MARGIN.left} ${y(percent)}h${wide}" stroke="#d0d7de"/><text x="${MARGIN.left - 6}" y="${y(percent) + 4}" text-anchor="end">${percent} %</text>`,
    ),
    ...ticks.map(
      tick => `<text x="${x(tick)}" y="${y(0) + 16}" text-anchor="middle">${tick}</text>`,
    ),
    `<text x="${MARGIN.left + wide / 2}" y="${y(0) + 32}" text-anchor="middle">${xTitle}</text>`,
    ...lines.map(({ points }, i) => {
      const path = points.map(([at, percent]) => `${x(at)} ${y(percent)}`).join('L')
      return `<path d="M${path}" ${look(i)}/>`
    }),
    '</g>',
  ].join('\n')
}

function look(i: number): string {
  const { stroke, dashes } = STYLES[i % STYLES.length] ?? STYLES[0]
  return `fill="none" stroke="${stroke}" stroke-width="2" stroke-dasharray="${dashes}"`
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
