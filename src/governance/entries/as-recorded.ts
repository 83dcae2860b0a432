import { WaybillError } from '../../error.ts'
import type { ReadEntry } from './entry.ts'
import type { EntrySummary } from './summary.ts'

/** An entry that is what was recorded, or was erased as the log allows. */
export type AsRecorded = Extract<ReadEntry, { is: 'entry' | 'erased' }>

/** Whether an entry is what was recorded or was erased; of others nothing may be believed. */
export function isAsRecorded({ state }: Pick<EntrySummary, 'state'>): boolean {
  return state === 'kept' || state === 'erased'
}

/** Refuses an entry that somebody has changed, for those who decide by it or hand it on. */
export function mustBeAsRecorded(entry: ReadEntry, index: number): AsRecorded {
  if (entry.is === 'entry' || entry.is === 'erased') return entry
  const fault =
    entry.is === 'differs' ? 'is not what was recorded' : `cannot be read: ${entry.fault}`
  throw new WaybillError('ledger-tampered', `entry ${index} ${fault}`, {
    hint: 'waybill log verify tells what is wrong with the log',
  })
}
