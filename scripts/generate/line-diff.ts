/** The differing lines of two texts, zero-based; at a gap, the adjacent lines. */
export interface Differences {
  readonly left: LineSet
  readonly right: LineSet
}

/** Lines that only this text has, and lines adjacent to a gap. */
export interface LineSet {
  readonly own: ReadonlySet<number>
  readonly adjacent: ReadonlySet<number>
}

/** Compares two texts by the longest common subsequence of their lines. */
export function compareLines(left: readonly string[], right: readonly string[]): Differences {
  const sides = { left: openSet(), right: openSet() }
  for (const [i, j] of gaps(left, right)) {
    if (i.from < i.to) mark(sides.left, i, sides.right, j, right.length)
    if (j.from < j.to) mark(sides.right, j, sides.left, i, left.length)
  }
  return sides
}

interface Stretch {
  readonly from: number
  readonly to: number
}

const openSet = () => ({ own: new Set<number>(), adjacent: new Set<number>() })

type OpenSet = ReturnType<typeof openSet>

function mark(mine: OpenSet, own: Stretch, other: OpenSet, gap: Stretch, length: number): void {
  for (let line = own.from; line < own.to; line++) mine.own.add(line)
  if (gap.from < gap.to) return
  if (gap.from > 0) other.adjacent.add(gap.from - 1)
  if (gap.from < length) other.adjacent.add(gap.from)
}

/** The ranges between common lines, in both texts. */
function* gaps(left: readonly string[], right: readonly string[]): Generator<[Stretch, Stretch]> {
  let i = 0
  let j = 0
  for (const [common, other] of [
    ...commonLines(left, right),
    [left.length, right.length] as const,
  ]) {
    if (common > i || other > j)
      yield [
        { from: i, to: common },
        { from: j, to: other },
      ]
    i = common + 1
    j = other + 1
  }
}

function commonLines(
  left: readonly string[],
  right: readonly string[],
): (readonly [number, number])[] {
  const longest = Array.from({ length: left.length + 1 }, () => new Uint16Array(right.length + 1))
  const at = (i: number, j: number) => longest[i]?.[j] ?? 0
  for (let i = left.length - 1; i >= 0; i--) {
    const row = longest[i]
    for (let j = right.length - 1; row && j >= 0; j--) {
      row[j] = left[i] === right[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  const pairs: [number, number][] = []
  for (let i = 0, j = 0; i < left.length && j < right.length; ) {
    if (left[i] === right[j]) pairs.push([i++, j++])
    else if (at(i + 1, j) >= at(i, j + 1)) i++
    else j++
  }
  return pairs
}
