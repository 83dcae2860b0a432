import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { WaybillError } from '../../error.ts'
import { replaceDurably } from './durable.ts'
import { cannotRead, isMissing } from './fault.ts'
import { readRegular, SMALL_FILE } from './regular.ts'

/** What stands in the folder of a log that goes on elsewhere. */
export interface Seal {
  /** Where it goes on, as `ledger:` in waybill.yaml names it. */
  readonly to: 'postgres'
  /** How many entries were taken there. */
  readonly size: number
  /** ISO 8601. */
  readonly at: string
}

const NAME = 'sealed'

/** The seal on the folder of a log; nothing where that log may be written. */
export function readSeal(folder: string): Seal | undefined {
  const file = join(folder, NAME)
  try {
    return JSON.parse(readRegular(file, SMALL_FILE).toString())
  } catch (cause) {
    if (isMissing(cause)) return undefined
    // Whatever else it says: nobody has ever put it there but to end the log.
    if (cause instanceof SyntaxError) return { to: 'postgres', size: 0, at: '' }
    throw cannotRead(file, cause)
  }
}

/** Whether the folder of a log is sealed, whatever the seal says. */
export function hasSeal(folder: string): boolean {
  return existsSync(join(folder, NAME))
}

/** Refuses to go on with a log that was sealed. */
export function refuseSealed(folder: string): void {
  if (hasSeal(folder)) throw isSealed(folder)
}

/** The error for a log that goes on elsewhere. */
export function isSealed(folder: string): WaybillError {
  return new WaybillError(
    'conflict',
    `${folder} is sealed: the log of this installation goes on in PostgreSQL`,
    {
      hint: 'waybill.yaml has to say ledger: postgres; until then the log is neither read nor written',
    },
  )
}

/** Seals the folder of a log, for good; whoever calls holds its lock. */
export function sealFolder(folder: string, seal: Seal): void {
  replaceDurably(join(folder, NAME), `${JSON.stringify(seal)}\n`)
}
