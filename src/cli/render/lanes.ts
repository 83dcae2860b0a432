/** An entry of the drawing, with the entry it follows. */
interface Entry {
  readonly id: string
  readonly before: string | null
}

/** The drawn lines of a row, and whether they connect to the entry it follows. */
interface Lane {
  readonly drawn: string
  readonly linked: boolean
}

/** Most parallel lines that stay readable. */
const MOST = 12

/** Draws how entries follow each other, one row per entry in the given order. */
export function drawLanes(
  entries: readonly Entry[],
  mark: (entry: Entry) => string,
): readonly Lane[] {
  const lines = new Lines(entries)
  return entries.map(entry => lines.draw(entry, mark(entry)))
}

/** The lines still open while rows are drawn. */
class Lines {
  /** How many entries still follow each entry. */
  readonly #left = new Map<string, number>()
  /** The columns of entries that still have followers. */
  readonly #columns = new Map<string, number>()
  readonly #open: boolean[] = []

  constructor(entries: readonly Entry[]) {
    for (const { before } of entries)
      if (before !== null) this.#left.set(before, this.#follow(before) + 1)
  }

  draw({ id, before }: Entry, mark: string): Lane {
    const from = before === null ? undefined : this.#columns.get(before)
    const isLast = before !== null && this.#takeOne(before)
    // The last follower is drawn straight below; the others branch off.
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

  /** Keeps the entry's line open while it has followers. */
  #end(id: string, column: number): void {
    const isOpen = this.#follow(id) > 0
    this.#open[column] = isOpen
    if (isOpen) this.#columns.set(id, column)
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
