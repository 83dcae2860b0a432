import type { Diagnostic } from '../../contract/index.ts'
import type { Found } from '../entries/predicates.ts'

/** The recorded form of diagnostics: each code once, in order. */
export function foundIn(diagnostics: readonly Diagnostic[]): readonly Found[] {
  const found = new Map(diagnostics.map(({ code, severity }) => [code, severity]))
  return [...found].map(([code, severity]) => ({ code, severity }))
}
