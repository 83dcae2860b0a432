import { maskSecrets, type Span } from '../../document/index.ts'
import type { PolicyCode } from './codes.ts'

/** One thing wrong with policies, where it stands: one-based lines and columns, in UTF-16 units. */
export interface PolicyFault {
  readonly code: PolicyCode
  readonly severity: 'error' | 'warning'
  /** From the root. */
  readonly file: string
  readonly line: number
  readonly column: number
  readonly endLine: number
  readonly endColumn: number
  readonly message: string
  readonly hint: string
  /** The line of source that it begins on. */
  readonly excerpt?: string
}

/** Says where a stretch of a file stands. */
export type Place = (
  span: Span,
) => Pick<PolicyFault, 'file' | 'line' | 'column' | 'endLine' | 'endColumn' | 'excerpt'>

/** The places of one file; its lines are looked for when the first is asked for. */
export function lineIndex(file: string, text: string): Place {
  let starts: readonly number[] | undefined
  return ({ start, end }) => {
    starts ??= [
      0,
      ...Array.from(text.matchAll(/\r\n?|\n/g), ({ 0: end, index }) => index + end.length),
    ]
    const from = positionOf(start, starts)
    const to = positionOf(end, starts)
    const [line = ''] = text.slice(starts[from.line - 1], starts[from.line]).split(/[\r\n]/, 1)
    // A mask is not as long as what it hides, so that nothing under it could be pointed at.
    const excerpt = maskSecrets(line) === line ? line : ''
    return { file, ...from, endLine: to.line, endColumn: to.column, excerpt }
  }
}

function positionOf(offset: number, starts: readonly number[]) {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((starts[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 }
}
