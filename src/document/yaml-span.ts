import { SCALAR_STYLE, type ScalarEvent } from 'js-yaml'
import type { Span } from './document.ts'
import { trimmed } from './trimmed.ts'

/** The role of an empty scalar, which tells the indicator before it. */
export type Role = 'root' | 'item' | 'key' | 'value'

const INDICATORS = { root: '', item: '-', key: '?', value: ':' }

/** The span of a scalar with text: with its quotes; a block scalar from its first to its last character. */
export function scalarSpan(text: string, { valueStart, valueEnd, style }: ScalarEvent): Span {
  switch (style) {
    case SCALAR_STYLE.SINGLE_QUOTED:
    case SCALAR_STYLE.DOUBLE_QUOTED:
      return { start: valueStart - 1, end: valueEnd + 1 }
    case SCALAR_STYLE.LITERAL_BLOCK:
    case SCALAR_STYLE.FOLDED_BLOCK:
      return trimmed(text, valueStart, valueEnd)
    default:
      return { start: valueStart, end: valueEnd }
  }
}

/** The span of an empty scalar: right after its indicator, if that comes next after `from`. */
export function emptySpan(text: string, from: number, role: Role): Span {
  const next = skipSpace(text, from)
  const at = next < text.length && text[next] === INDICATORS[role] ? next + 1 : from
  return { start: at, end: at }
}

/** The end of a flow collection whose last entry ends at `from`. */
export function endOfFlow(text: string, from: number): number {
  let at = skipSpace(text, from)
  // Only an empty last entry or a trailing comma can still come before the bracket.
  while (at < text.length && ',:?'.includes(text.charAt(at))) at = skipSpace(text, at + 1)
  return Math.min(at + 1, text.length)
}

function skipSpace(text: string, from: number): number {
  SPACE.lastIndex = from
  return SPACE.test(text) ? SPACE.lastIndex : from
}

const SPACE = /(?:[ \t\r\n\uFEFF]+|#[^\r\n]*)+/y
