import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { WaybillError } from '../../error.ts'
import { replaceDurably } from './durable.ts'
import { cannotRead, isMissing } from './fault.ts'
import { readRegular, SMALL_FILE } from './regular.ts'

/** The seal in the folder of a log that was moved. */
export interface Seal {
  /** Where the log continues, as `ledger:` in waybill.yaml names it. */
  readonly to: 'postgres'
  /** The number of entries moved. */
  readonly size: number
  /** ISO 8601. */
  readonly at: string
}

const NAME = 'sealed'

/** The seal on the folder of a log; undefined if the log may be written. */
export function readSeal(folder: string): Seal | undefined {
  const file = join(folder, NAME)
  try {
    return JSON.parse(readRegular(file, SMALL_FILE).toString())
  } catch (cause) {
    if (isMissing(cause)) return undefined
    // An unparsable seal still seals: it is only ever written to end the log.
    if (cause instanceof SyntaxError) return { to: 'postgres', size: 0, at: '' }
    throw cannotRead(file, cause)
  }
}

/** Whether a seal exists, whatever its content. */
export function hasSeal(folder: string): boolean {
  return existsSync(join(folder, NAME))
}

/** Fails if the log is sealed. */
export function refuseSealed(folder: string): void {
  if (hasSeal(folder)) throw isSealed(folder)
}

/** The error for a log that was moved. */
export function isSealed(folder: string): WaybillError {
  return new WaybillError(
    'conflict',
    `${folder} is sealed: the log of this installation moved to PostgreSQL`,
    {
      hint: 'set ledger: postgres in waybill.yaml; until then the log is neither read nor written',
    },
  )
}

/** Seals the folder of a log permanently; the caller holds its lock. */
export function sealFolder(folder: string, seal: Seal): void {
  replaceDurably(join(folder, NAME), `${JSON.stringify(seal)}\n`)
}
