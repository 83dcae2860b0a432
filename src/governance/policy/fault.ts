import { lineIndex, maskSecrets, type Span } from '../../document/index.ts'
import type { PolicyCode } from './codes.ts'

/** An error in a policy with its place: one-based lines and columns, in UTF-16 units. */
export interface PolicyFault {
  readonly code: PolicyCode
  readonly severity: 'error' | 'warning'
  /** Path from the root. */
  readonly file: string
  readonly line: number
  readonly column: number
  readonly endLine: number
  readonly endColumn: number
  readonly message: string
  readonly hint: string
  /** The source line where it begins. */
  readonly excerpt?: string
}

/** Returns the place of a range in a file. */
export type Place = (
  span: Span,
) => Pick<PolicyFault, 'file' | 'line' | 'column' | 'endLine' | 'endColumn' | 'excerpt'>

/** Creates the place lookup of one file. */
export function placesOf(file: string, text: string): Place {
  const { rangeOf } = lineIndex(text)
  return span => {
    const { start, end } = rangeOf(span)
    const begin = Math.min(span.start, text.length) - start.character
    const [line = ''] = text.slice(begin).split(/[\r\n]/, 1)
    // A mask differs in length from the text it hides, so columns would be wrong.
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
