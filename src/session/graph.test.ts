import { expect, test } from 'vitest'
import { cpuTimeOf } from '../../test/cpu-time.ts'
import type { Drawing } from './graph.ts'
import { layersOf } from './graph-layers.ts'
import { drawMermaid } from './graph-mermaid.ts'
import { drawSvg } from './graph-svg.ts'

const HOSTILE = [
  'a"]; click n0 "javascript:alert(1)"',
  '%%{init: {"theme": "dark"}}%%',
  '<script>alert(1)</script>',
  '</text></svg><image href="https://example.org/x"/>',
  '`**bold**`',
  '&lt;b&gt; #quot; $$x$$',
  'one\ntwo\r\nthree',
  '\u0000\u001b[31m\u202e\ud800\ufffe',
  '',
  'end',
  'x'.repeat(500),
]

const hostile: Drawing = {
  nodes: HOSTILE.map((label, i) => ({ id: label + i, label, status: 'ready' })),
  edges: HOSTILE.slice(1).map((label, i) => ({
    from: `${HOSTILE[i]}${i}`,
    to: `${label}${i + 1}`,
    label,
  })),
}

test('a flowchart has its nodes, edges and colours', () => {
  expect(
    drawMermaid({
      nodes: [
        { id: 'a', label: 'A', status: 'done' },
        { id: 'b', label: 'B (2)\n"x"' },
      ],
      edges: [
        { from: 'a', to: 'b', label: 'then' },
        { from: 'a', to: 'b' },
        { from: 'a', to: 'a' },
        { from: 'b', to: 'nowhere' },
      ],
    }),
  ).toBe(
    [
      'flowchart LR',
      '  n0["A"]:::done',
      '  n1["B #40;2#41;<br/>#34;x#34;"]',
      '  n0 -->|"then"| n1',
      '  classDef done fill:#dafbe1,stroke:#1a7f37,color:#0f3d1e',
      '',
    ].join('\n'),
  )
})

test('no label leaves its place in a flowchart', () => {
  const label = /"(?:[^"#&<>`%{}|;\\*_~[\]()$\n]|#[0-9]{2,5};|<br\/>)+"/.source
  const line = new RegExp(
    `^(?:flowchart LR|  n[0-9]+\\[${label}\\]:::ready|  n[0-9]+ -->(?:\\|${label}\\|)? n[0-9]+|  classDef ready [a-z0-9:#,]+|)$`,
  )
  for (const text of drawMermaid(hostile).split('\n')) expect(text).toMatch(line)
})

test('no label leaves its place in a picture', () => {
  const svg = drawSvg(hostile, '</title><script>')
  const tags = new Set([...svg.matchAll(/<\/?([a-z]+)/g)].map(match => match[1]))
  expect([...tags].sort()).toEqual(['defs', 'g', 'marker', 'path', 'rect', 'svg', 'text', 'title'])
  expect(svg).not.toMatch(/ (?:on[a-z]+|href|style)="/)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that none is there is what is tested
  expect(svg).not.toMatch(/[\u0000-\u0009\u000b-\u001f\ud800-\udfff\ufffe\uffff\u202e]/)
  expect(svg.match(/<text/g)?.length).toBe(svg.match(/<\/text>/g)?.length)
})

test('nodes stand behind what leads to them', () => {
  const edges = [
    { from: 3, to: 0 },
    { from: 0, to: 1 },
    { from: 3, to: 1 },
    { from: 2, to: 1 },
  ]
  expect(layersOf(4, edges).layers).toEqual([[2, 3], [0], [1]])
})

test('a circle is opened, and every node is there once', () => {
  const edges = [0, 1, 2, 3].map(i => ({ from: i, to: (i + 1) % 4 }))
  expect(layersOf(5, edges).layers).toEqual([[4, 0].sort(), [1], [2], [3]])
})

test('neighbours stand near what leads to them', () => {
  const edges = [
    { from: 0, to: 3 },
    { from: 1, to: 2 },
  ]
  expect(layersOf(4, edges).layers).toEqual([
    [0, 1],
    [3, 2],
  ])
})

test('boxes do not overlap, in either direction', () => {
  for (const direction of ['right', 'down'] as const) {
    const svg = drawSvg({ ...hostile, edges: hostile.edges.slice(0, 4), direction }, 'x')
    const boxes = [
      ...svg.matchAll(/<rect x="([\d.]+)" y="([\d.]+)" width="(\d+)" height="(\d+)"/g),
    ].map(match => match.slice(1).map(Number))
    expect(boxes).toHaveLength(HOSTILE.length)
    for (const [i, [x = 0, y = 0, w = 0, h = 0]] of boxes.entries())
      for (const [x2 = 0, y2 = 0, w2 = 0, h2 = 0] of boxes.slice(i + 1))
        expect(x + w <= x2 || x2 + w2 <= x || y + h <= y2 || y2 + h2 <= y).toBe(true)
  }
})

test.each(['right', 'down'] as const)(
  'no box hides an edge over several layers (%s)',
  direction => {
    const nodes = ['a', 'b', 'c', 'd'].map(id => ({ id, label: id.repeat(30) }))
    const edge = (from: string, to: string) => ({ from, to })
    const edges = [edge('a', 'b'), edge('b', 'c'), edge('c', 'd'), edge('a', 'd')]
    const svg = drawSvg({ nodes, edges, direction }, 'x')
    const boxes = [...svg.matchAll(/<rect x="([\d.]+)" y="([\d.]+)" width="(\d+)" height="(\d+)"/g)]
    const [path = ''] = [...svg.matchAll(/<path d="([^"]+)" fill="none"/g)].at(-1)?.slice(1) ?? []
    // Where the edge is straight it passes a layer, next to the boxes.
    const straight = [...path.matchAll(/([\d.]+) ([\d.]+)L([\d.]+) ([\d.]+)/g)]
    expect(straight).toHaveLength(2)
    for (const [i, line] of straight.entries()) {
      const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = line.slice(1).map(Number)
      const [x = 0, y = 0, w = 0, h = 0] = boxes[i + 1]?.slice(1).map(Number) ?? []
      const along = direction === 'down' ? [y1, y2] : [x1, x2]
      expect(along).toEqual(direction === 'down' ? [y, y + h] : [x, x + w])
      expect(direction === 'down' ? x1 < x || x1 > x + w : y1 < y || y1 > y + h).toBe(true)
    }
  },
)

test('a long line of nodes takes no long time', async () => {
  const nodes = Array.from({ length: 20_000 }, (_, i) => ({ id: `${i}`, label: `node ${i}` }))
  const edges = nodes.slice(1).map(({ id }, i) => ({ from: `${i}`, to: id }))
  const ms = await cpuTimeOf(() => {
    expect(drawSvg({ nodes, edges }, 'long').length).toBeGreaterThan(nodes.length)
    expect(drawMermaid({ nodes, edges }).split('\n').length).toBe(nodes.length + edges.length + 2)
  })
  expect(ms).toBeLessThan(5000)
})

test('nothing gives an empty picture', () => {
  expect(drawSvg({ nodes: [], edges: [] }, 'empty')).toContain('width="32" height="32"')
  expect(drawMermaid({ nodes: [], edges: [] })).toBe('flowchart LR\n')
})
