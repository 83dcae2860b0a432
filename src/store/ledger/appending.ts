import { WaybillError } from '../../error.ts'
import {
  batchReceipts,
  type Hash,
  isSame,
  type LastClock,
  type Receipt,
  sha256,
  type Taken,
  tampered,
} from '../../ledger/index.ts'
import type { Sql } from './database.ts'
import { encodeGroup, leafHashes, type Refusal, type Sorted } from './group.ts'
import type { PostgresLogOptions } from './options.ts'
import { appendRows, ENTRIES, type Outcome, PLACES } from './statements.ts'

/** A group about to be appended. */
export interface Sent extends Sorted {
  readonly leaves: readonly Hash[]
  readonly clock: LastClock
}

/** Prepares a group to be sent. */
export function toBeSent(sorted: Sorted, clock: LastClock): Sent {
  return { ...sorted, leaves: leafHashes(sorted.accepted), clock }
}

/** Sends a group; an empty one needs no statement. */
export async function send(sql: Sql, origin: string, { accepted, clock }: Sent): Promise<Outcome> {
  if (accepted.length === 0) return { first: 0 }
  return appendRows(sql, { origin, clock }, encodeGroup(accepted))
}

/** The answers to all drafts of a stored group, in order; its receipts share one signature. */
export function answersOf(
  sent: Sent,
  first: number,
  { origin, promiseSigner }: PostgresLogOptions,
): (Receipt | Taken)[] {
  const { accepted, leaves, clock } = sent
  const entries = accepted.map(({ digest }, i) => ({ leaf: leaves[i] ?? new Uint8Array(), digest }))
  const batch = { origin, first, entries, time: clock.time }
  const receipts = entries.length === 0 ? [] : batchReceipts(sha256, batch, promiseSigner)
  let at = 0
  return sent.refusals.map(refusal => {
    const answer = refusal ? takenFrom(refusal, first) : receipts[at++]
    if (!answer) throw new WaybillError('internal', 'an entry got no receipt')
    return answer
  })
}

function takenFrom(refusal: Refusal, first: number): Taken {
  if (!('at' in refusal)) return refusal
  const { taken, at, digest } = refusal
  return { taken, index: first + at, digest }
}

/** Finds a group that may have been lost, from an index on; undefined when it was lost. */
export async function placeOf(
  sql: Sql,
  { accepted, leaves }: Sent,
  from: number,
): Promise<number | undefined> {
  const places = await sql.rows(PLACES, [from, Buffer.from(accepted[0]?.digest ?? '', 'hex')])
  for (const { index } of places) {
    const first = Number(index)
    const rows = await sql.rows(ENTRIES, [first, first + accepted.length])
    const isIt = accepted.every(({ digest }, i) => {
      const row = rows[i]
      return (
        row !== undefined &&
        isSame(row.leaf_hash as Uint8Array, leaves[i] ?? new Uint8Array()) &&
        Buffer.from(row.digest as Uint8Array).toString('hex') === digest
      )
    })
    if (isIt) return first
  }
  return undefined
}

/** Refuses the log of another installation. */
export function refuseOtherOrigin(found: string | undefined, origin: string): void {
  if (found !== undefined && found !== origin)
    throw tampered(`the database has the ledger ${found}, not ${origin}`)
}
