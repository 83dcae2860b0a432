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

/** The size and frontier of the tree, and the clocks at its last entry. */
export interface TreeState {
  readonly origin: string
  readonly frontier: Frontier
  readonly clock?: LastClock
}

/** The size and root of a tree, as in a checkpoint. */
export function headOf({ frontier }: TreeState): { readonly size: number; readonly root: Hash } {
  return { size: frontier.size, root: rootOf(sha256, frontier) }
}

/** The state of a log that was never written. */
export function emptyTree(origin: string): TreeState {
  return { origin, frontier: EMPTY_FRONTIER }
}

/** Formats the state as a line of JSON, and its digest on a second line. */
export function formatTree({ origin, frontier: { size, hashes }, clock }: TreeState): string {
  const line = JSON.stringify({ origin, size, hashes: hashes.map(toHex), clock })
  return `${line}\n${digestOf(line)}\n`
}

/**
 * The log cannot continue from its state. Only the state has the last gateway time, so it is not rebuilt from the
 * tiles; the checkpoint still covers every entry.
 */
export function stateLost(what: string): WaybillError {
  const { code, message } = tampered(what)
  return new WaybillError(code, message, {
    hint: 'nothing was written; restore this file from a copy made after the last entry. Without one, you can still verify the log: waybill log verify; to start a new log, move .waybill/ledger and .waybill/keys away together and run waybill init --new-log',
  })
}

/** Whether the state of a log exists in its folder. */
export function hasTree(folder: string): boolean {
  return existsSync(placesIn(folder).tree)
}

/** Reads the state; returns nothing if the log has none yet. */
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

/** The clocks at the last append, by any process. */
export function readClock(places: Places): LastClock | undefined {
  // Read the segments first: entries that leave them meanwhile are in the tree.
  const appended = segmentsIn(places.wal).map(lastClockOf)
  const integrated = readTree(places)?.clock
  return [...appended, integrated].reduce(
    (last, clock) => (clock && (!last || clock.time >= last.time) ? clock : last),
    undefined,
  )
}
