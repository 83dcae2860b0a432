import { isCollection } from './change.ts'
import type { Span } from './document.ts'
import { type Head, isBlock, lineEnd, lineStart, type Place, type YamlText } from './yaml-place.ts'

/** A replacement of a range of text. */
export interface Splice {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** The lines of a value: the first after the marker, the others below. */
interface Slots {
  readonly first: Span
  readonly rest: Span
  /** The first line follows the marker, and its anchors are rewritten. */
  readonly behindMark: boolean
}

/**
 * Puts lines in place of a value: the first, which may be empty, after its colon or dash, the others below.
 *
 * Comments after the marker, and between it and the value, stay.
 */
export function putLines(
  source: YamlText,
  place: Place,
  head: Head,
  lines: readonly string[],
): Splice[] {
  const [line = '', ...others] = lines
  const { first, rest, behindMark } = slotsOf(source.text, place, head, lines)
  const text = others.map(other => source.eol + other).join('')
  const words = ['', behindMark ? head.anchors : '', line].filter(
    (word, i) => i === 0 || word !== '',
  )
  const unmarked = head.unmarked && place.key ? `: ${line}` : line
  return [
    { ...first, text: behindMark ? words.join(' ') : unmarked },
    ...(rest.end > rest.start || text !== '' ? [{ ...rest, text }] : []),
  ]
}

function slotsOf(text: string, place: Place, head: Head, lines: readonly string[]): Slots {
  const { span, parent } = place
  const end = isBlock(place) ? lineEnd(text, span.end) : span.end
  if (head.unmarked || (!parent && !head.block)) {
    const stop = lineEnd(text, end)
    return {
      first: { start: span.start, end },
      rest: { start: stop, end: stop },
      behindMark: false,
    }
  }
  if (head.block) {
    const stop = lineEnd(text, head.block.end)
    return {
      first: { start: head.from, end: head.block.end },
      rest: { start: stop, end: Math.max(stop, span.end) },
      behindMark: true,
    }
  }
  const moves = isCollection(place.value) || lines.length > 1
  if (head.below && moves && !place.inFlow) {
    const start = beforeLine(text, span.start)
    return { first: { start: head.from, end: head.behind }, rest: { start, end }, behindMark: true }
  }
  const stop = lineEnd(text, end)
  const keepsGap = head.behind === head.from && span.start > head.from && lines[0] !== ''
  return {
    first: { start: keepsGap ? span.start : head.from, end },
    rest: { start: stop, end: stop },
    behindMark: !keepsGap,
  }
}

/** The offset before the line end above the line of an offset. */
export function beforeLine(text: string, offset: number): number {
  const start = lineStart(text, offset)
  return start === 0 ? 0 : text.startsWith('\r\n', start - 2) ? start - 2 : start - 1
}
