import { existsSync } from 'node:fs'
import { WaybillError } from '../../error.ts'
import { fromHex, toHex } from '../base64.ts'
import { EMPTY_FRONTIER, type Frontier, rootOf } from '../frontier.ts'
import type { Hash } from '../hash.ts'
import type { LastClock } from '../log.ts'
import { cannotRead, isMissing, tampered } from './fault.ts'
import { type Places, placesIn } from './paths.ts'
import { readRegular, SMALL_FILE } from './regular.ts'
import { sha256 } from './sha256.ts'
import { lastClockOf, segmentsIn } from './wal.ts'

/** How far entries have been brought into the tree, and what the clocks said at the last of them. */
export interface TreeState {
  readonly origin: string
  readonly frontier: Frontier
  readonly clock?: LastClock
}

/** Size and root of a tree, as a checkpoint states them. */
export function headOf({ frontier }: TreeState): { readonly size: number; readonly root: Hash } {
  return { size: frontier.size, root: rootOf(sha256, frontier) }
}

/** The state of a log that has never been written. */
export function emptyTree(origin: string): TreeState {
  return { origin, frontier: EMPTY_FRONTIER }
}

/** Writes the state as a line of JSON, and its digest on a second one. */
export function formatTree({ origin, frontier: { size, hashes }, clock }: TreeState): string {
  const line = JSON.stringify({ origin, size, hashes: hashes.map(toHex), clock })
  return `${line}\n${digestOf(line)}\n`
}

/**
 * The state cannot be gone on from. It alone knows up to when gateway time has come, so it is not made anew of the tiles;
 * every entry still stands under the checkpoint.
 */
export function stateLost(what: string): WaybillError {
  const { code, message } = tampered(what)
  return new WaybillError(code, message, {
    hint: 'nothing was written; put this file back from a copy that was made after the last entry. Where there is none, the log can still be verified: waybill log verify; to begin another one, move .waybill/ledger and .waybill/keys away together and run waybill init --new-log',
  })
}

/** Whether the state of a log stands in its folder. */
export function hasTree(folder: string): boolean {
  return existsSync(placesIn(folder).tree)
}

/** Reads the state; gives nothing if the log has none yet. */
export function readTree({ tree }: Places): TreeState | undefined {
  let text: string
  try {
    text = readRegular(tree, SMALL_FILE).toString()
  } catch (cause) {
    if (isMissing(cause)) return undefined
    throw cannotRead(tree, cause)
  }
  const [line = '', digest] = text.split('\n')
  if (digest !== digestOf(line) || text !== `${line}\n${digest}\n`)
    throw stateLost(`${tree} is damaged`)
  const { origin, size, hashes, clock } = JSON.parse(line)
  return {
    origin,
    frontier: { size, hashes: hashes.map((hash: string) => fromHex(hash) ?? new Uint8Array()) },
    ...(clock && { clock }),
  }
}

const digestOf = (line: string) => toHex(sha256(Buffer.from(line)))

/** What the clocks said when anything was last appended, by whichever process. */
export function readClock(places: Places): LastClock | undefined {
  // The segments first: what leaves them meanwhile is in the tree then.
  const appended = segmentsIn(places.wal).map(lastClockOf)
  const integrated = readTree(places)?.clock
  return [...appended, integrated].reduce(
    (last, clock) => (clock && (!last || clock.time >= last.time) ? clock : last),
    undefined,
  )
}
