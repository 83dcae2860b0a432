import { type MayWriteCode, mayWriteCode } from '../../contracts/index.ts'
import type { StateFile } from '../../session/index.ts'

/** Decides from the check of the whole file; the value of an invalid file is not used. */
export function codeIn({ sound, result, value, judge }: StateFile): MayWriteCode {
  const errors = result.diagnostics.filter(({ severity }) => severity === 'error')
  if (sound) return mayWriteCode(judge.basis, value, errors)
  const { code = 'document/unreadable', message = 'it cannot be read', hint } = errors[0] ?? {}
  return { answer: false, rule: code, reason: message, ...(hint !== undefined && { hint }) }
}
