import { loadKysely } from './packages.ts'
import { jsonText } from './runs.ts'
import { ask, type Tx } from './tx.ts'

type Payload = Readonly<Record<string, unknown>>

/** Whether one of some agents has returned the result of a worker in a mission. */
export async function haveWorked(
  tx: Tx,
  mission: string,
  agents: readonly string[],
): Promise<boolean> {
  const [row] = await ask<{ one: number }>(tx)`
    select 1 as one from waybill.colony_worker_results
    where tenant_id = current_setting('waybill.tenant', true) and mission_id = ${mission}
      and payload ->> 'producer' = any (${agents}) limit 1`
  return row !== undefined
}

/** A proposed write-back of a mission. */
export interface WhichProposal {
  readonly mission: string
  readonly proposal: string
}

/** What somebody decided on a proposal: once, and on exactly what has this digest. */
export interface ProposalDecision extends WhichProposal {
  /** Hex SHA-256 of the proposal's canonical JSON. */
  readonly digest: string
  readonly decision: 'approved' | 'rejected'
  readonly by: string
  readonly standing: 'proved' | 'claimed' | 'policy'
  readonly why: string
  /** What was stated, and the signature over it. */
  readonly statement: Payload
  /** Until when an approval may be acted on; null of a rejection. */
  readonly expiresAt: Date | null
  /** When it was stated; now, by the clock of the database, when absent. */
  readonly decidedAt?: Date
}

/** A decision as it is stored. */
export interface StoredDecision extends ProposalDecision {
  readonly decidedAt: Date
  /** Whether an approval may not be acted on any more, by the clock of the database. */
  readonly isExpired: boolean
  /** The entry of the log that says so; null until it is recorded, and nobody acts on it before. */
  readonly entry: string | null
}

/** How far the delivery of an approved proposal is. */
export interface Delivery {
  readonly state: 'pending' | 'delivered' | 'failed'
  readonly attempts: number
  readonly nextAt: Date
  /** What came of it last. */
  readonly outcome: DeliveryOutcome | null
  readonly endedAt: Date | null
}

/** What came of one try to deliver a proposal: nothing of what the other side has said. */
export interface DeliveryOutcome {
  readonly is: 'delivered' | 'failed' | 'retried'
  readonly code: string
  readonly message: string
  /** How many tries have failed. */
  readonly failures: number
  /** What policies said to it, if they came to be asked. */
  readonly policy?: unknown
}

/** A proposal with what was decided on it and what came of that. */
export interface StoredProposal extends WhichProposal {
  readonly digest: string
  /** Null where it was erased. */
  readonly payload: Payload | null
  readonly requiresApproval: boolean
  /** The agents of the tasks that it came from, by canonical id. */
  readonly agents: readonly string[]
  /** The people who answered those tasks. */
  readonly people: readonly string[]
  readonly recordedAt: Date
  readonly decision: StoredDecision | null
  readonly delivery: Delivery | null
}

/** Which proposals of the tenant are listed; all of them when nothing is said. */
export interface ProposalFilter {
  readonly mission?: string
  readonly proposal?: string
  /** Only those on which nothing was decided yet. */
  readonly isOpen?: boolean
  readonly limit?: number
}

/** The proposals of the tenant, the newest first. */
export async function listProposals(
  tx: Tx,
  { mission, proposal, isOpen = false, limit = 1000 }: ProposalFilter,
): Promise<readonly StoredProposal[]> {
  const { sql } = await loadKysely()
  const { rows } = await sql<ProposalRow>`
    select p.mission_id as mission, p.proposal_id as proposal, p.digest, p.payload, p.recorded_at as "recordedAt",
      p.requires_approval as "requiresApproval", ${sql.raw(DECISION)} as decision, ${sql.raw(DELIVERY)} as delivery,
      s.agents, s.people
    from waybill.colony_writeback_proposals p
      left join waybill.proposal_decisions d using (tenant_id, mission_id, proposal_id)
      left join waybill.writeback_outbox o using (tenant_id, mission_id, proposal_id)
      cross join lateral (select coalesce(jsonb_agg(distinct r.agent), '[]') as agents,
          coalesce(jsonb_agg(distinct r.answered_by ->> 'by') filter (where r.answered_by is not null), '[]') as people
        from waybill.task_outputs t join waybill.task_runs r using (tenant_id, mission_id, task_id)
        where t.tenant_id = p.tenant_id and t.mission_id = p.mission_id
          and t.schema_name = 'writeback_proposal' and t.artifact_id = p.proposal_id) s
    where p.tenant_id = current_setting('waybill.tenant', true)
      ${mission === undefined ? sql`` : sql`and p.mission_id = ${mission}`}
      ${proposal === undefined ? sql`` : sql`and p.proposal_id = ${proposal}`}
      ${isOpen ? sql`and d.proposal_id is null` : sql``}
    order by p.recorded_at desc, p.mission_id, p.proposal_id limit ${limit}`.execute(tx)
  return rows.map(({ decision, delivery, ...rest }) => ({
    ...rest,
    decision: decision && decisionOf(rest, decision),
    delivery: delivery && deliveryOf(delivery),
  }))
}

/** One proposal of a mission; nothing where the tenant has none such. */
export async function readProposal(
  tx: Tx,
  { mission, proposal }: WhichProposal,
): Promise<StoredProposal | undefined> {
  const [found] = await listProposals(tx, { mission, proposal, limit: 1 })
  return found
}

/** The agents of the tasks that a proposal came from, by canonical id, each with the part that it played there. */
export async function listAuthors(
  tx: Tx,
  { mission, proposal }: WhichProposal,
): Promise<readonly { readonly agent: string; readonly role: string }[]> {
  const { sql } = await loadKysely()
  const { rows } = await sql<{ agent: string; role: string }>`
    select distinct r.agent, c.role_type as role from waybill.task_outputs t
      join waybill.task_runs r using (tenant_id, mission_id, task_id)
      join waybill.colony_tasks c using (tenant_id, mission_id, task_id)
    where t.tenant_id = current_setting('waybill.tenant', true) and t.mission_id = ${mission}
      and t.schema_name = 'writeback_proposal' and t.artifact_id = ${proposal}
    order by 1, 2`.execute(tx)
  return rows
}

/** Keeps a decision; false where somebody has decided before. */
export async function insertDecision(tx: Tx, decision: ProposalDecision): Promise<boolean> {
  const { sql } = await loadKysely()
  const { mission, proposal, digest, by, standing, why, statement, expiresAt, decidedAt } = decision
  const { rows } = await sql`
    insert into waybill.proposal_decisions (tenant_id, mission_id, proposal_id, digest, decision, decided_by,
      standing, why, statement, expires_at, decided_at)
    values (current_setting('waybill.tenant'), ${mission}, ${proposal}, ${digest}, ${decision.decision}, ${by},
      ${standing}, ${why}, ${jsonText(statement)}::jsonb, ${expiresAt},
      coalesce(${decidedAt ?? null}::timestamptz, clock_timestamp()))
    on conflict do nothing returning proposal_id`.execute(tx)
  return rows.length > 0
}

/** Proposals with a decision that no entry tells of yet, the oldest decision first; those behind one, where it is given. */
export async function listUnrecorded(
  tx: Tx,
  limit: number,
  after?: WhichProposal,
): Promise<readonly WhichProposal[]> {
  const { sql } = await loadKysely()
  const behind = after
    ? sql`and (decided_at, mission_id, proposal_id) > (
        select decided_at, mission_id, proposal_id from waybill.proposal_decisions
        where tenant_id = current_setting('waybill.tenant', true)
          and mission_id = ${after.mission} and proposal_id = ${after.proposal})`
    : sql``
  const { rows } = await sql<WhichProposal>`
    select mission_id as mission, proposal_id as proposal from waybill.proposal_decisions
    where tenant_id = current_setting('waybill.tenant', true) and entry is null ${behind}
    order by decided_at, mission_id, proposal_id limit ${limit}`.execute(tx)
  return rows
}

/**
 * Notes the entry that tells of a decision, and sends an approved proposal on its way, under a name in the queue; false
 * where that was done before.
 */
export async function noteEntry(
  tx: Tx,
  { mission, proposal, entry, task }: WhichProposal & { entry: string; task: string },
): Promise<boolean> {
  const { sql } = await loadKysely()
  const { rows } = await sql`
    with noted as (
      update waybill.proposal_decisions set entry = ${entry}
      where tenant_id = current_setting('waybill.tenant', true)
        and mission_id = ${mission} and proposal_id = ${proposal} and entry is null
      returning tenant_id, mission_id, proposal_id, decision
    ), sent as (
      insert into waybill.writeback_outbox (tenant_id, mission_id, proposal_id)
      select tenant_id, mission_id, proposal_id from noted where decision = 'approved'
      returning mission_id
    )
    select noted.proposal_id, (select waybill.enqueue_task(mission_id, ${task}, 1, 0) from sent)
    from noted`.execute(tx)
  return rows.length > 0
}

interface ProposalRow extends Omit<StoredProposal, 'decision' | 'delivery'> {
  readonly decision: DecisionJson | null
  readonly delivery: DeliveryJson | null
}

type DecisionJson = Omit<StoredDecision, keyof WhichProposal | 'decidedAt' | 'expiresAt'> & {
  readonly decidedAt: string
  readonly expiresAt: string | null
}

type DeliveryJson = Omit<Delivery, 'nextAt' | 'endedAt'> & {
  readonly nextAt: string
  readonly endedAt: string | null
}

const DECISION = `case when d.proposal_id is not null then jsonb_build_object('digest', d.digest,
  'decision', d.decision, 'by', d.decided_by, 'standing', d.standing, 'why', d.why, 'statement', d.statement,
  'decidedAt', d.decided_at, 'expiresAt', d.expires_at, 'entry', d.entry,
  'isExpired', coalesce(d.expires_at <= clock_timestamp(), false)) end`

const DELIVERY = `case when o.proposal_id is not null then jsonb_build_object('state', o.state,
  'attempts', o.attempts, 'nextAt', o.next_at, 'outcome', o.outcome, 'endedAt', o.ended_at) end`

function decisionOf({ mission, proposal }: WhichProposal, row: DecisionJson): StoredDecision {
  const { decidedAt, expiresAt } = row
  const times = { decidedAt: new Date(decidedAt), expiresAt: dateOf(expiresAt) }
  return { ...row, mission, proposal, ...times }
}

function deliveryOf(row: DeliveryJson): Delivery {
  return { ...row, nextAt: new Date(row.nextAt), endedAt: dateOf(row.endedAt) }
}

function dateOf(text: string | null): Date | null {
  return text === null ? null : new Date(text)
}
