import { WaybillError } from '../error.ts'
import { codeOf } from './faults.ts'
import { loadKysely } from './packages.ts'
import {
  type DeliveryOutcome,
  readProposal,
  type StoredProposal,
  type WhichProposal,
} from './proposals.ts'
import { jsonText } from './runs.ts'
import type { Tx } from './tx.ts'

type Payload = Readonly<Record<string, unknown>>

/** An attempt to deliver a proposal; its number fences off older attempts. */
export interface DeliveryAttempt extends WhichProposal {
  readonly attempt: number
}

/**
 * Starts an attempt; returns undefined when a newer one started or the delivery is over. With `askedBefore`, this call
 * may have succeeded before.
 */
export async function claimDelivery(
  tx: Tx,
  which: DeliveryAttempt,
  { askedBefore = false } = {},
): Promise<StoredProposal | undefined> {
  const { sql } = await loadKysely()
  const { mission, proposal, attempt } = which
  const before = askedBefore ? [attempt - 1, attempt] : [attempt - 1]
  const { rows } = await sql`
    update waybill.writeback_outbox set attempts = ${attempt}
    where tenant_id = current_setting('waybill.tenant', true)
      and mission_id = ${mission} and proposal_id = ${proposal}
      and state = 'pending' and attempts = any(${before})
    returning proposal_id`.execute(tx)
  return rows.length > 0 ? readProposal(tx, which) : undefined
}

/** The end of an attempt. */
export interface DeliveryEnd {
  /** The final state; absent while the delivery continues. */
  readonly state?: 'delivered' | 'failed'
  /** The outcome; the known one stays when absent. */
  readonly outcome?: DeliveryOutcome
}

/** Stores the end of an attempt; returns false when the attempt is obsolete. */
export async function noteDelivery(
  tx: Tx,
  which: DeliveryAttempt,
  { state, outcome }: DeliveryEnd,
): Promise<boolean> {
  const { sql } = await loadKysely()
  const { rows } = await sql`
    update waybill.writeback_outbox set
      outcome = coalesce(${jsonText(outcome)}::jsonb, outcome)
      ${state === undefined ? sql`` : sql`, state = ${state}, ended_at = clock_timestamp()`}
    where ${await isNewest(which)}
    returning proposal_id`.execute(tx)
  return rows.length > 0
}

/** Queues the next attempt after `delay` milliseconds; returns false when this one is obsolete. */
export async function deliverAgain(
  tx: Tx,
  which: DeliveryAttempt & { readonly task: string; readonly delay: number },
): Promise<boolean> {
  const { sql } = await loadKysely()
  const { mission, attempt, task, delay } = which
  const { rows } = await sql`
    with later as (
      update waybill.writeback_outbox set attempts = ${attempt},
        next_at = clock_timestamp() + ${delay}::bigint * interval '1 millisecond'
      where ${await isNewest(which, { orNotBegun: true })}
      returning mission_id
    )
    select waybill.enqueue_task(${mission}, ${task}, ${attempt + 1}, ${delay}::bigint) from later`.execute(
    tx,
  )
  return rows.length > 0
}

async function isNewest(
  { mission, proposal, attempt }: DeliveryAttempt,
  { orNotBegun = false } = {},
) {
  const { sql } = await loadKysely()
  const attempts = orNotBegun ? [attempt - 1, attempt] : [attempt]
  return sql`tenant_id = current_setting('waybill.tenant', true)
    and mission_id = ${mission} and proposal_id = ${proposal}
    and state = 'pending' and attempts = any(${attempts})`
}

/** A qualified function name; functions in system schemas and ours must not be called. */
const FUNCTION = /^([A-Za-z_][A-Za-z0-9_$]{0,62})\.([A-Za-z_][A-Za-z0-9_$]{0,62})$/
const NOT_TO_BE_CALLED = /^(?:pg_.*|information_schema|waybill|dbos)$/i
/** The timeout of a function, in milliseconds. */
const LONGEST_CALL = 30_000

/**
 * Calls a database function with a proposal and its idempotency key.
 * @throws {WaybillError} 'configuration' when the name is not that of a callable function.
 */
export async function callFunction(
  tx: Tx,
  name: string,
  { proposal, key }: { readonly proposal: Payload; readonly key: string },
): Promise<void> {
  const { sql } = await loadKysely()
  const [, schema = '', own = ''] = FUNCTION.exec(name) ?? []
  if (own === '' || NOT_TO_BE_CALLED.test(schema))
    throw new WaybillError('configuration', 'the write-back function has an invalid name', {
      hint: 'use schema.name with your own schema',
    })
  await sql`select set_config('statement_timeout', ${String(LONGEST_CALL)}, true)`.execute(tx)
  await sql`select ${sql.id(schema, own)}(${JSON.stringify(proposal)}::jsonb, ${key}::text)`.execute(
    tx,
  )
}

/** Returns the SQLSTATE of an error; empty when it has none. */
export function sqlstateOf(error: unknown): string {
  const own = codeOf(error)
  const code = SQLSTATE.test(own) ? own : codeOf(error instanceof Error ? error.cause : undefined)
  return SQLSTATE.test(code) ? code : ''
}

const SQLSTATE = /^[0-9A-Z]{5}$/
