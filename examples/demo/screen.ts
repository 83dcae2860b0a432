import { styleText } from 'node:util'

/** A terminal that prints, and records what it printed as an animated SVG. */
export interface Screen {
  /** A new scene with a title; the recording begins a new picture. */
  scene(title: string): void
  /** A command and its output. */
  command(words: readonly string[], output: string): void
  /** What an agent does, and what it is answered. */
  agent(name: string, does: string, answer: string): void
  svg(): string
}

type Kind = 'title' | 'command' | 'agent' | 'denied' | 'text'

interface Line {
  readonly kind: Kind
  readonly text: string
}

const WIDTH = 96
/** How long each scene stays, in seconds, for each of its lines. */
const SECONDS_A_LINE = 1.1
const LEAST_SECONDS = 6

export function openScreen(): Screen {
  const scenes: Line[][] = []
  const show = (kind: Kind, text: string) => {
    for (const line of wrapped(text)) {
      scenes.at(-1)?.push({ kind, text: line })
      process.stdout.write(`${STYLES[kind](line)}\n`)
    }
  }
  return {
    scene: title => {
      scenes.push([])
      process.stdout.write('\n')
      show('title', title)
    },
    command: (words, output) => {
      show('command', `$ ${words.map(quoted).join(' ')}`)
      show('text', output.trimEnd())
    },
    agent: (name, does, answer) => {
      show('agent', `${name} › ${does}`)
      show(answer.startsWith('denied') ? 'denied' : 'text', answer)
    },
    svg: () => svgOf(scenes),
  }
}

const STYLES: Readonly<Record<Kind, (text: string) => string>> = {
  title: text => styleText('bold', text),
  command: text => styleText('cyan', text),
  agent: text => styleText('magenta', text),
  denied: text => styleText('red', text),
  text: text => text,
}

function quoted(word: string): string {
  const short = word.length > 60 ? `${word.slice(0, 40)}…` : word
  return /[\s`"$()]/.test(short) ? `'${short}'` : short
}

/** Breaks lines at blanks, so that they fit the recording. */
function wrapped(text: string): string[] {
  return text.split('\n').flatMap(line => {
    const lines: string[] = []
    let rest = line
    while (rest.length > WIDTH) {
      const at = rest.lastIndexOf(' ', WIDTH)
      const end = at > WIDTH / 2 ? at : WIDTH
      lines.push(rest.slice(0, end))
      rest = `  ${rest.slice(end).trimStart()}`
    }
    return [...lines, rest]
  })
}

const LINE = 20
const MARGIN = 24

/** One picture after the other, by CSS alone, so that it plays wherever an image is shown. */
function svgOf(scenes: readonly (readonly Line[])[]): string {
  const lengths = scenes.map(lines => Math.max(LEAST_SECONDS, lines.length * SECONDS_A_LINE))
  const total = lengths.reduce((sum, seconds) => sum + seconds, 0)
  const height = MARGIN * 2 + Math.max(...scenes.map(lines => lines.length)) * LINE
  let start = 0
  const pictures = scenes.map((lines, i) => {
    const [from, to] = [start, start + (lengths[i] ?? 0)].map(time => (time / total) * 100)
    start += lengths[i] ?? 0
    const shown = `${percent(from)}{opacity:0}${percent((from ?? 0) + 0.01)}{opacity:1}${percent((to ?? 0) - 0.01)}{opacity:1}${percent(to)}{opacity:0}`
    const rows = lines.map(
      ({ kind, text }, row) =>
        `<text class="${kind}" x="${MARGIN}" y="${MARGIN + (row + 1) * LINE}">${escaped(text)}</text>`,
    )
    return {
      style: `@keyframes s${i}{0%{opacity:0}${shown}100%{opacity:0}}.s${i}{opacity:0;animation:s${i} ${total.toFixed(1)}s linear infinite}`,
      group: `<g class="s${i}">${rows.join('')}</g>`,
    }
  })
  const width = MARGIN * 2 + WIDTH * 8.5
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="A standing rule outlives two compactions and a change of agent">
<style>text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;fill:#d6deeb;white-space:pre}.title{fill:#ffffff;font-weight:bold}.command{fill:#7fdbca}.agent{fill:#c792ea}.denied{fill:#ff6b6b}${pictures.map(({ style }) => style).join('')}</style>
<rect width="100%" height="100%" rx="10" fill="#011627"/>
${pictures.map(({ group }) => group).join('\n')}
</svg>
`
}

function percent(value = 0): string {
  return `${Math.min(100, Math.max(0, value)).toFixed(2)}%`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
