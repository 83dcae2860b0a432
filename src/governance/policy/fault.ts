import { lineIndex, maskSecrets, type Span } from '../../document/index.ts'
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

/** The places of one file. */
export function placesOf(file: string, text: string): Place {
  const { rangeOf } = lineIndex(text)
  return span => {
    const { start, end } = rangeOf(span)
    const begin = Math.min(span.start, text.length) - start.character
    const [line = ''] = text.slice(begin).split(/[\r\n]/, 1)
    // A mask is not as long as what it hides, so that nothing under it could be pointed at.
    const excerpt = maskSecrets(line) === line ? line : ''
    return {
      file,
      line: start.line + 1,
      column: start.character + 1,
      endLine: end.line + 1,
      endColumn: end.character + 1,
      excerpt,
    }
  }
}
