import type { Position, Range, Span } from './document.ts'

/** Converts offsets of one text to lines and characters. */
export interface LineIndex {
  readonly positionAt: (offset: number) => Position
  readonly rangeOf: (span: Span) => Range
}

/**
 * Creates the line index of a text, built on first use.
 *
 * `\n`, `\r\n` and a lone `\r` end a line. An offset outside the text is clamped.
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
  // Most texts use one kind of line end, which needs no pattern.
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
