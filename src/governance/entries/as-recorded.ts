import { WaybillError } from '../../error.ts'
import type { ReadEntry } from './entry.ts'
import type { EntrySummary } from './summary.ts'

/** An entry that is unchanged, or properly erased. */
export type AsRecorded = Extract<ReadEntry, { is: 'entry' | 'erased' }>

/** Whether an entry is unchanged or erased; the content of any other must not be trusted. */
export function isAsRecorded({ state }: Pick<EntrySummary, 'state'>): boolean {
  return state === 'kept' || state === 'erased'
}

/**
 * Requires an unchanged or erased entry, before a decision rests on it or it is passed on.
 *
 * @throws {WaybillError} 'ledger-tampered' when it was changed or cannot be read.
 */
export function mustBeAsRecorded(entry: ReadEntry, index: number): AsRecorded {
  if (entry.is === 'entry' || entry.is === 'erased') return entry
  const fault =
    entry.is === 'differs' ? 'is not what was recorded' : `cannot be read: ${entry.fault}`
  throw new WaybillError('ledger-tampered', `entry ${index} ${fault}`, {
    hint: 'run waybill log verify to see what is wrong with the log',
  })
}
