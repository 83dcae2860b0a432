import { type Diagnostic, refuse } from '../../contract/index.ts'
import type { StateObjection } from '../../contracts/index.ts'
import type { StateFile } from './state-file.ts'

/** A diagnostic located in the text that was read. */
export function diagnosticOf(state: StateFile, objection: StateObjection): Diagnostic {
  const { code, severity, message, hint } = objection
  const path = [...state.base, ...objection.path]
  const found = { path, message, ...(hint === undefined ? {} : { hint }) }
  const [diagnostic] = refuse({ ...state.document, faults: [] }, code, found).diagnostics
  if (!diagnostic) throw new Error(`no diagnostic for ${code}`)
  return { ...diagnostic, severity }
}

/** The location of a part of the state in the text. */
export function placeIn(state: StateFile, path: readonly string[]): Pick<Diagnostic, 'range'> {
  const finding = { path, message: '' }
  const [diagnostic] = refuse({ ...state.document, faults: [] }, '', finding).diagnostics
  return { range: diagnostic?.range ?? state.document.range({ start: 0, end: 0 }) }
}
