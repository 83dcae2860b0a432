const NARROWEST = 80
const WIDEST = 100

/** How wide text for people is set: as the terminal, within what reads well. */
export function textWidth(columns: number | undefined = process.stdout.columns): number {
  return Math.min(WIDEST, Math.max(NARROWEST, columns ?? NARROWEST))
}

/** How many columns a text takes: wide characters take two, combining ones none. */
export function widthOf(text: string): number {
  let width = 0
  for (const character of text) width += NO_WIDTH.test(character) ? 0 : WIDE.test(character) ? 2 : 1
  return width
}

const NO_WIDTH = /[\p{M}\u200b-\u200d\ufe00-\ufe0f]/u
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u

/** Fills a text with spaces up to a width. */
export function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)))
}

/** Breaks a text into lines of at most a width: between words, and inside one only where it fits no line. */
export function wrap(text: string, width: number): string[] {
  return text.split('\n').flatMap(line => wrapLine(line.replaceAll('\t', '  '), Math.max(width, 8)))
}

function wrapLine(line: string, width: number): string[] {
  if (widthOf(line) <= width) return [line.trimEnd()]
  const [lead = ''] = /^ *(?:(?:[-*+]|[0-9]{1,3}[.)]) {1,3}(?:\[[ xX]\] )?)?/.exec(line) ?? []
  const hanging = lead.length < width / 2 ? ' '.repeat(lead.length) : ''
  const lines: string[] = []
  let current = hanging && lead
  for (const word of line.slice(hanging.length).trim().split(/ +/)) {
    const open = current === hanging || current === lead
    if (widthOf(current) + (open ? 0 : 1) + widthOf(word) <= width) {
      current += open ? word : ` ${word}`
      continue
    }
    if (!open) lines.push(current)
    const pieces = cut(word, width - hanging.length)
    for (const piece of pieces.slice(0, -1)) {
      lines.push((open && lines.length === 0 ? current : hanging) + piece)
    }
    const start = open && pieces.length === 1 ? current : hanging
    current = start + (pieces.at(-1) ?? '')
  }
  return current.trim() === '' ? lines : [...lines, current]
}

function cut(word: string, width: number): string[] {
  const pieces: string[] = []
  let piece = ''
  let size = 0
  for (const character of word) {
    const more = widthOf(character)
    if (size + more > width && piece) {
      pieces.push(piece)
      piece = ''
      size = 0
    }
    piece += character
    size += more
  }
  return [...pieces, piece]
}

/** A text beside a label: the label on its first line, the others indented to stand below the text. */
export function hang(label: string, labelWidth: number, text: string, width: number): string[] {
  const lines = wrap(text, width - labelWidth)
  return lines.map((line, i) => (i === 0 ? pad(label, labelWidth) : ' '.repeat(labelWidth)) + line)
}

/** Lines set in from the left; blank ones stay blank. */
export function indent(lines: readonly string[], by: number): string[] {
  return lines.map(line => (line === '' ? '' : ' '.repeat(by) + line))
}
