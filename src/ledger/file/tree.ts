import { fromHex, toHex } from '../base64.ts'
import { EMPTY_FRONTIER, type Frontier } from '../frontier.ts'
import type { LastClock } from '../log.ts'
import { cannotRead, isMissing, tampered } from './fault.ts'
import type { Places } from './paths.ts'
import { readRegular, SMALL_FILE } from './regular.ts'
import { sha256 } from './sha256.ts'
import { lastClockOf, segmentsIn } from './wal.ts'

/** How far entries have been brought into the tree, and what the clocks said at the last of them. */
export interface TreeState {
  readonly origin: string
  readonly frontier: Frontier
  readonly clock?: LastClock
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
    throw tampered(`${tree} is damaged`)
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
