import { widthOf } from './layout.ts'

/** The current size of the terminal. */
export interface TerminalSize {
  readonly columns: number
  readonly rows: number
}

/** Redraws lines in place on a terminal until the final ones. */
export class LiveDrawing {
  readonly #size: () => TerminalSize
  /** The widths of the lines on the screen. */
  #drawn: readonly number[] = []
  #shown: readonly string[] = []

  constructor(size: () => TerminalSize) {
    this.#size = size
  }

  /** How many lines fit. */
  get room(): number {
    return Math.max(1, this.#size().rows - 2)
  }

  /** The output that replaces the previous lines; the caller adds a line end. Final lines are neither cut nor replaced. */
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

  /** The output that inserts a line above the drawing, or undefined if nothing is drawn. */
  above(line: string): string | undefined {
    if (this.#drawn.length === 0) return undefined
    return [`${this.#back()}${line}`, ...this.#shown, ''].join('\n')
  }

  /** Moves the cursor to the start of the drawing. A narrower terminal has wrapped lines; rows that scrolled off are out of reach. */
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

// biome-ignore lint/suspicious/noControlCharactersInRegex: terminal escape codes begin with one
const MARKS = /\u001b\[[0-9]+m/g

/** Cuts a line to a width; escape codes take no columns and are all kept. */
function cut(line: string, width: number): string {
  let room = width
  let text = ''
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminal escape codes begin with one
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
