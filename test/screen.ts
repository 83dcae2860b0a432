import { widthOf } from '../src/cli/render/layout.ts'

/** What stands on a terminal after texts were written to it, each with a line end; it knows what drawings use. */
export class Screen {
  readonly columns: number
  readonly rows: string[] = ['']
  #row = 0

  constructor(columns: number) {
    this.columns = columns
  }

  write(text: string): void {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what terminals receive begins with one
    for (const part of `${text}\n`.split(/(\u001b\[[0-9]*[A-Za-z]|\r|\n)/)) {
      const [, up] = /^.\[([0-9]+)A$/.exec(part) ?? []
      if (up !== undefined) this.#row = Math.max(0, this.#row - Number(up))
      else if (part === '\u001b[J') this.rows.splice(this.#row, Infinity, '')
      else if (part === '\n') this.#down()
      else if (part !== '\r' && !part.startsWith('\u001b')) this.#put(part)
    }
  }

  #down(): void {
    this.#row += 1
    this.rows[this.#row] ??= ''
  }

  #put(text: string): void {
    for (const character of text) {
      if (widthOf(`${this.rows[this.#row]}${character}`) > this.columns) this.#down()
      this.rows[this.#row] += character
    }
  }
}
