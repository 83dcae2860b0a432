import { widthOf } from './layout.ts'

/** How large a terminal is at the moment. */
export interface TerminalSize {
  readonly columns: number
  readonly rows: number
}

/** Lines that are drawn over those before them, as long as they are not the last ones. */
export class LiveDrawing {
  readonly #size: () => TerminalSize
  /** How wide the lines are that stand there. */
  #drawn: readonly number[] = []
  #shown: readonly string[] = []

  constructor(size: () => TerminalSize) {
    this.#size = size
  }

  /** How many lines fit. */
  get room(): number {
    return Math.max(1, this.#size().rows - 2)
  }

  /** What shows the lines instead of the last ones; a line end follows it. The final ones are neither cut nor drawn over. */
  next(lines: readonly string[], isFinal: boolean): string {
    const { columns } = this.#size()
    const back = this.#back()
    if (isFinal) {
      this.#drawn = []
      return `${back}${lines.join('\n')}`
    }
    const shown = lines.slice(0, this.room).map(line => cut(line, columns - 1))
    this.#shown = shown
    this.#drawn = shown.map(line => widthOf(line.replace(MARKS, '')))
    return `${back}${shown.join('\n')}`
  }

  /** What shows a line above the drawing, and that below it again; nothing where nothing is drawn. */
  above(line: string): string | undefined {
    if (this.#drawn.length === 0) return undefined
    return [`${this.#back()}${line}`, ...this.#shown, ''].join('\n')
  }

  /** A terminal that became narrower has broken lines that fitted; what left it above cannot be reached. */
  #back(): string {
    if (this.#drawn.length === 0) return ''
    const { columns, rows } = this.#size()
    const taken = this.#drawn.reduce(
      (sum, width) => sum + Math.max(1, Math.ceil(width / columns)),
      0,
    )
    return `\r\u001b[${Math.min(taken, rows - 1)}A\u001b[J`
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: marks of terminals begin with one
const MARKS = /\u001b\[[0-9]+m/g

/** Cuts a line to a width, so that it stays one; marks take no room, and none is left open. */
function cut(line: string, width: number): string {
  let room = width
  let text = ''
  // biome-ignore lint/suspicious/noControlCharactersInRegex: marks of terminals begin with one
  for (const part of line.split(/(\u001b\[[0-9]+m)/)) {
    if (part.startsWith('\u001b[')) {
      text += part
      continue
    }
    for (const character of part) {
      room -= widthOf(character)
      if (room < 0) break
      text += character
    }
  }
  return text
}
