import type { Position, Range, Span } from './document.ts'

/** Turns offsets of one text into lines and characters. */
export interface LineIndex {
  readonly positionAt: (offset: number) => Position
  readonly rangeOf: (span: Span) => Range
}

/**
 * Makes the line index of a text; the lines are looked up when the first position is asked for.
 *
 * `\n`, `\r\n` and a lone `\r` end a line. An offset outside the text counts as its nearest end.
 */
export function lineIndex(text: string): LineIndex {
  let starts: readonly number[] | undefined
  const positionAt = (offset: number): Position => {
    starts ??= lineStarts(text)
    const inside = Math.min(Math.max(offset, 0), text.length)
    const line = lastNotAbove(starts, inside)
    return { line, character: inside - (starts[line] ?? 0) }
  }
  return {
    positionAt,
    rangeOf: ({ start, end }) => ({ start: positionAt(start), end: positionAt(end) }),
  }
}

function lineStarts(text: string): number[] {
  const starts = [0]
  if (text.includes('\r')) {
    for (const { index, 0: end } of text.matchAll(/\r\n?|\n/g)) starts.push(index + end.length)
    return starts
  }
  // Most texts end their lines in one way, which is found without a pattern.
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) {
    starts.push(end + 1)
  }
  return starts
}

function lastNotAbove(starts: readonly number[], offset: number): number {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((starts[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return low
}
