import { isTerminal } from '../terminal.ts'

/** Tables need at least this many columns. */
const NARROWEST = 40
const WIDEST = 100
/** Columns when the terminal does not report its width. */
const USUAL = 80

/** The width of text in columns: that of the terminal, within readable limits. */
export function textWidth(columns: number | undefined = terminalColumns()): number {
  return Math.min(WIDEST, Math.max(NARROWEST, columns || USUAL))
}

/** The columns of the terminal, if any. Opening a stream for anything else would add a tenth to a short run. */
export function terminalColumns(): number | undefined {
  return (isTerminal() && process.stdout.columns) || undefined
}

/** The columns of a text: wide characters take two, combining ones none. */
export function widthOf(text: string): number {
  let width = 0
  for (const character of text) width += NO_WIDTH.test(character) ? 0 : WIDE.test(character) ? 2 : 1
  return width
}

const NO_WIDTH = /\p{M}|[\u200b-\u200d]/u
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u

/** Pads a text with spaces to a width in columns. */
export function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)))
}

/** Wraps a text at a width, inside a word only if it is wider than a line. */
export function wrap(text: string, width: number): string[] {
  return text.split('\n').flatMap(line => wrapLine(line.replaceAll('\t', '  '), Math.max(width, 8)))
}

function wrapLine(line: string, width: number): string[] {
  if (widthOf(line) <= width) return [line.trimEnd()]
  const lead = leadOf(line, width)
  const room = width - lead.length
  const words = line.slice(lead.length).trim().split(/ +/)
  const lines = fill(
    words.flatMap(word => (widthOf(word) > room ? cut(word, room) : [word])),
    room,
  )
  return lines.map((text, i) => (i === 0 ? lead : ' '.repeat(lead.length)) + text)
}

/** The indentation and list mark of a line; wrapped lines are indented by its length. */
function leadOf(line: string, width: number): string {
  const [lead = ''] = /^ *(?:(?:[-*+]|[0-9]{1,3}[.)]) {1,3}(?:\[[ xX]\] )?)?/.exec(line) ?? []
  return lead.length < width / 2 ? lead : ''
}

function fill(words: readonly string[], room: number): string[] {
  const lines: string[] = []
  let current = ''
  for (const word of words) {
    if (current === '') current = word
    else if (widthOf(current) + 1 + widthOf(word) <= room) current += ` ${word}`
    else {
      lines.push(current)
      current = word
    }
  }
  return [...lines, current]
}

/** Cuts a word wider than a line, after a slash or another separator in the last two thirds if there is one. */
function cut(word: string, width: number): string[] {
  const pieces: string[] = []
  let piece = ''
  for (const character of word) {
    if (piece && widthOf(piece) + widthOf(character) > width) {
      const ends = [piece.lastIndexOf('/'), piece.search(/[,;:_-][^,;:_-]*$/)].map(at => at + 1)
      const end = ends.find(at => at >= piece.length / 3) ?? piece.length
      pieces.push(piece.slice(0, end))
      piece = piece.slice(end)
    }
    piece += character
  }
  return [...pieces, piece]
}

/** Wraps a text after a label, with a hanging indent. */
export function hang(label: string, labelWidth: number, text: string, width: number): string[] {
  const lines = wrap(text, width - labelWidth)
  return lines.map((line, i) => (i === 0 ? pad(label, labelWidth) : ' '.repeat(labelWidth)) + line)
}

/** Indents lines; blank lines stay blank. */
export function indent(lines: readonly string[], by: number): string[] {
  return lines.map(line => (line === '' ? '' : ' '.repeat(by) + line))
}
