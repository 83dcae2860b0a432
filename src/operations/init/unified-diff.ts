/** Unchanged lines around a change. */
const CONTEXT = 3

/** The difference between two texts in the unified format; empty where they are the same. */
export function unifiedDiff(
  path: string,
  before: string | undefined,
  after: string | undefined,
): string {
  if (before === after) return ''
  const marked = markLines(linesOf(before), linesOf(after))
  const shown = new Set<number>()
  marked.forEach(({ sign }, i) => {
    if (sign === ' ') return
    for (let j = Math.max(0, i - CONTEXT); j <= i + CONTEXT; j++) shown.add(j)
  })
  const lines: string[] = []
  let [left, right] = [1, 1]
  for (let i = 0; i < marked.length; i++) {
    if (shown.has(i) && !shown.has(i - 1)) {
      const hunk = marked.slice(i, nextGap(shown, i))
      const count = (sign: Sign) => hunk.filter(line => line.sign !== sign).length
      lines.push(`@@ -${span(left, count('+'))} +${span(right, count('-'))} @@`)
    }
    const { sign, text } = marked[i] as MarkedLine
    if (shown.has(i)) lines.push(sign + text)
    if (sign !== '+') left++
    if (sign !== '-') right++
  }
  const from = before === undefined ? '/dev/null' : `a/${path}`
  const to = after === undefined ? '/dev/null' : `b/${path}`
  return [`--- ${from}`, `+++ ${to}`, ...lines].join('\n')
}

type Sign = ' ' | '-' | '+'

interface MarkedLine {
  readonly sign: Sign
  readonly text: string
}

function nextGap(shown: ReadonlySet<number>, from: number): number {
  let at = from
  while (shown.has(at)) at++
  return at
}

const span = (start: number, count: number) => `${count === 0 ? start - 1 : start},${count}`

const NO_END = '\n\\ No newline at end of file'

function linesOf(text = ''): string[] {
  if (text === '') return []
  const lines = text.split('\n')
  const last = lines.pop()
  return last === '' ? lines : [...lines, last + NO_END]
}

const mark = (sign: Sign) => (text: string) => ({ sign, text })

/** Marks each line by the longest common subsequence of the lines between the equal ends. */
function markLines(left: readonly string[], right: readonly string[]): MarkedLine[] {
  const same = (a: number, b: number) => a >= 0 && b >= 0 && left[a] === right[b]
  let start = 0
  while (start < left.length && same(start, start)) start++
  let end = 0
  while (
    Math.min(left.length, right.length) - end > start &&
    same(left.length - 1 - end, right.length - 1 - end)
  )
    end++
  return [
    ...left.slice(0, start).map(mark(' ')),
    ...markMiddle(left.slice(start, left.length - end), right.slice(start, right.length - end)),
    ...left.slice(left.length - end).map(mark(' ')),
  ]
}

function markMiddle(left: readonly string[], right: readonly string[]): MarkedLine[] {
  const at = commonLengths(left, right)
  const marked: MarkedLine[] = []
  let [i, j] = [0, 0]
  while (i < left.length && j < right.length) {
    const [mine = '', other = ''] = [left[i], right[j]]
    const sign = mine === other ? ' ' : at(i + 1, j) >= at(i, j + 1) ? '-' : '+'
    marked.push({ sign, text: sign === '+' ? other : mine })
    if (sign !== '+') i++
    if (sign !== '-') j++
  }
  return [...marked, ...left.slice(i).map(mark('-')), ...right.slice(j).map(mark('+'))]
}

/** The length of the longest common subsequence of what follows two places. */
function commonLengths(left: readonly string[], right: readonly string[]) {
  const rows = Array.from({ length: left.length + 1 }, () => new Uint16Array(right.length + 1))
  const at = (i: number, j: number) => rows[i]?.[j] ?? 0
  for (let i = left.length - 1; i >= 0; i--) {
    const row = rows[i]
    for (let j = right.length - 1; row && j >= 0; j--)
      row[j] = left[i] === right[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  }
  return at
}
