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

/** One try to deliver an approved proposal: its number is the fence. */
export interface DeliveryAttempt extends WhichProposal {
  readonly attempt: number
}

/**
 * Begins a try; nothing where a newer one has begun, or it is over. Who has asked before, and has not heard the answer, may
 * have begun it.
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

/** How a try ends. */
export interface DeliveryEnd {
  /** Over, when that is given; on its way still, when not. */
  readonly state?: 'delivered' | 'failed'
  /** What came of it; what is known stays when absent. */
  readonly outcome?: DeliveryOutcome
}

/** Notes what came of a try; false where it does not count any more. */
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

/** Enqueues the next try after some milliseconds, under a name in the queue; false where this one does not count any more. */
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

/** A name as the configuration has it; schemas of the server, of the queue and of ours are none that one may call. */
const FUNCTION = /^([A-Za-z_][A-Za-z0-9_$]{0,62})\.([A-Za-z_][A-Za-z0-9_$]{0,62})$/
const NOT_TO_BE_CALLED = /^(?:pg_.*|information_schema|waybill|dbos)$/i
/** How long a function may take, in milliseconds. */
const LONGEST_CALL = 30_000

/**
 * Calls a function of the database with a proposal and the key by which it knows it again.
 *
 * @throws WaybillError `configuration` where the name is none of a function that may be called.
 */
export async function callFunction(
  tx: Tx,
  name: string,
  { proposal, key }: { readonly proposal: Payload; readonly key: string },
): Promise<void> {
  const { sql } = await loadKysely()
  const [, schema = '', own = ''] = FUNCTION.exec(name) ?? []
  if (own === '' || NOT_TO_BE_CALLED.test(schema))
    throw new WaybillError('configuration', 'the function of a write-back is not a name of one', {
      hint: 'write schema.name, of a schema of your own',
    })
  await sql`select set_config('statement_timeout', ${String(LONGEST_CALL)}, true)`.execute(tx)
  await sql`select ${sql.id(schema, own)}(${JSON.stringify(proposal)}::jsonb, ${key}::text)`.execute(
    tx,
  )
}

/** The code of PostgreSQL by which work in the database has failed; empty where it has none. */
export function sqlstateOf(error: unknown): string {
  const own = codeOf(error)
  const code = SQLSTATE.test(own) ? own : codeOf(error instanceof Error ? error.cause : undefined)
  return SQLSTATE.test(code) ? code : ''
}

const SQLSTATE = /^[0-9A-Z]{5}$/
