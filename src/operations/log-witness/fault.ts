import { WITNESS_CODES, type WitnessCode } from '../../governance/index.ts'
import type { AskedWitness } from './output.ts'

/** Returns the output for an error between a log and a witness. */
export function faultOf(
  code: WitnessCode | undefined,
  message: string,
): NonNullable<AskedWitness['fault']> | null {
  if (code === undefined) return null
  const { why, remedy } = WITNESS_CODES[code]
  return { code, message, why, hint: remedy }
}
