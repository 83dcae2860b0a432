import { loadKysely } from './packages.ts'
import { jsonText } from './runs.ts'
import { ask, type Tx } from './tx.ts'

type Payload = Readonly<Record<string, unknown>>

/** Reports whether any of the agents returned a worker result in a mission. */
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

/** Identifies a proposed write-back. */
export interface WhichProposal {
  readonly mission: string
  readonly proposal: string
}

/** A decision on a proposal, bound to its digest. */
export interface ProposalDecision extends WhichProposal {
  /** Hex SHA-256 of the proposal's canonical JSON. */
  readonly digest: string
  readonly decision: 'approved' | 'rejected'
  readonly by: string
  readonly standing: 'proved' | 'claimed' | 'policy'
  readonly why: string
  /** The statement and its signature. */
  readonly statement: Payload
  /** When an approval expires; null for a rejection. */
  readonly expiresAt: Date | null
  /** When it was stated; defaults to the database time. */
  readonly decidedAt?: Date
}

/** A stored decision. */
export interface StoredDecision extends ProposalDecision {
  readonly decidedAt: Date
  /** Whether an approval has expired by the database clock. */
  readonly isExpired: boolean
  /** The log entry of the decision; null until recorded, and the decision takes no effect before. */
  readonly entry: string | null
}

/** The state of a delivery. */
export interface Delivery {
  readonly state: 'pending' | 'delivered' | 'failed'
  readonly attempts: number
  readonly nextAt: Date
  /** The last outcome. */
  readonly outcome: DeliveryOutcome | null
  readonly endedAt: Date | null
}

/** The outcome of one delivery attempt, without any text of the receiver. */
export interface DeliveryOutcome {
  readonly is: 'delivered' | 'failed' | 'retried'
  readonly code: string
  readonly message: string
  /** The number of failed attempts. */
  readonly failures: number
  /** The policy decision, if policies were evaluated. */
  readonly policy?: unknown
}

/** A proposal with its decision and delivery. */
export interface StoredProposal extends WhichProposal {
  readonly digest: string
  /** Null when erased. */
  readonly payload: Payload | null
  readonly requiresApproval: boolean
  /** The agents of the tasks that proposed it, by canonical id. */
  readonly agents: readonly string[]
  /** The people who answered those tasks. */
  readonly people: readonly string[]
  readonly recordedAt: Date
  readonly decision: StoredDecision | null
  readonly delivery: Delivery | null
}

/** A filter for proposals of the tenant; empty for all. */
export interface ProposalFilter {
  readonly mission?: string
  readonly proposal?: string
  /** Only undecided ones. */
  readonly isOpen?: boolean
  readonly limit?: number
}

/** Lists proposals of the tenant, newest first. */
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

/** Returns a proposal; undefined when there is none. */
export async function readProposal(
  tx: Tx,
  { mission, proposal }: WhichProposal,
): Promise<StoredProposal | undefined> {
  const [found] = await listProposals(tx, { mission, proposal, limit: 1 })
  return found
}

/** Returns the agents and roles of the tasks that proposed a write-back. */
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

/** Stores a decision; returns false when the proposal is already decided. */
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

/** Lists decided proposals without a log entry, oldest decision first, after a given one. */
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
 * Stores the log entry of a decision and queues an approved proposal for delivery; returns false when it was already
 * stored.
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
