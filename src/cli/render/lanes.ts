/** An entry of a drawing of lines: who it is, and whom it follows. */
interface Entry {
  readonly id: string
  readonly before: string | null
}

/** The part of a row that shows the lines, and whether the line to the entry before is among them. */
interface Lane {
  readonly drawn: string
  readonly linked: boolean
}

/** More lines beside each other would tell nobody anything. */
const MOST = 12

/** Draws how entries follow each other, a row for each, in the order in which they are given. */
export function drawLanes(
  entries: readonly Entry[],
  mark: (entry: Entry) => string,
): readonly Lane[] {
  const lines = new Lines(entries)
  return entries.map(entry => lines.draw(entry, mark(entry)))
}

/** The lines that are open while a drawing goes down the page. */
class Lines {
  /** How many entries still follow one. */
  readonly #left = new Map<string, number>()
  /** The columns of entries that some still follow. */
  readonly #columns = new Map<string, number>()
  readonly #open: boolean[] = []

  constructor(entries: readonly Entry[]) {
    for (const { before } of entries)
      if (before !== null) this.#left.set(before, this.#follow(before) + 1)
  }

  draw({ id, before }: Entry, mark: string): Lane {
    const from = before === null ? undefined : this.#columns.get(before)
    const isLast = before !== null && this.#takeOne(before)
    // The last that follows stands straight below; the others branch off.
    const to = from !== undefined && isLast ? from : this.#freeColumn()
    const linked = from !== undefined && to < MOST
    const drawn = this.#row(linked ? from : to, Math.min(to, MOST), mark)
    if (before !== null && isLast) this.#columns.delete(before)
    if (from !== undefined && isLast) this.#open[from] = false
    if (to < MOST) this.#end(id, to)
    return { drawn, linked }
  }

  #follow(id: string): number {
    return this.#left.get(id) ?? 0
  }

  #takeOne(id: string): boolean {
    this.#left.set(id, this.#follow(id) - 1)
    return this.#follow(id) === 0
  }

  #freeColumn(): number {
    const free = this.#open.indexOf(false)
    return free < 0 ? this.#open.length : free
  }

  /** The entry's own line goes on while others follow. */
  #end(id: string, column: number): void {
    const goesOn = this.#follow(id) > 0
    this.#open[column] = goesOn
    if (goesOn) this.#columns.set(id, column)
    while (this.#open.at(-1) === false) this.#open.pop()
  }

  #row(from: number, to: number, mark: string): string {
    const width = Math.max(this.#open.length, to + 1)
    const cells = Array.from({ length: width }, (_, i) =>
      i === to ? mark : this.#cell(i, from, to),
    )
    return cells
      .map((cell, i) => (i > 0 && isBetween(i - 0.5, from, to) ? '─' : i > 0 ? ' ' : '') + cell)
      .join('')
  }

  #cell(column: number, from: number, to: number): string {
    if (column === from) return from < to ? '├' : '┤'
    if (isBetween(column, from, to)) return this.#open[column] ? '┼' : '─'
    return this.#open[column] ? '│' : ' '
  }
}

function isBetween(place: number, from: number, to: number): boolean {
  return place > Math.min(from, to) && place < Math.max(from, to)
}
