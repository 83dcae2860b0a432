import { formatInstant } from '../../document/index.ts'
import { WaybillError } from '../../error.ts'
import { entryAt, type Gateway, type Predicates } from '../../governance/index.ts'
import type { Log, Taken } from '../../ledger/index.ts'
import {
  listUnrecorded,
  noteEntry,
  type PostgresLog,
  type ProposalDecision,
  readProposal,
  type Store,
  type StoredProposal,
  type Tx,
} from '../../store/index.ts'
import { valueDigest, type Which } from './proposal.ts'
import { deliveryTask } from './reserved.ts'
import { mustBeStated } from './stated.ts'

/** How many unrecorded decisions are read at a time. */
const GROUP = 100

type Says = Predicates['writeback-decision']

/** A decision to record, with the agents that proposed it if known. */
type Recordable = Which & ProposalDecision & Partial<Pick<StoredProposal, 'agents'>>

/** The log's unique id of the decision on a proposal; its outcome has one of the same value. */
export function decisionId({ tenant, mission, proposal }: Which): string {
  return valueDigest(['writeback', tenant, mission, proposal])
}

/** The log ids of a proposal; a proposal id that the log cannot index is omitted. */
export function idsOf(which: Which) {
  const { mission, proposal } = which
  return {
    mission,
    decision: decisionId(which),
    ...(isLine(proposal) && { artifacts: [proposal] }),
  }
}

/** Reports whether the log can index an id. */
export function isLine(id: string): boolean {
  return !/[\p{Cc}\u2028\u2029]/u.test(id)
}

function recordingOf(recordable: Recordable) {
  const {
    digest,
    decision,
    by,
    standing,
    why,
    statement,
    expiresAt,
    proposal,
    agents = [],
  } = recordable
  const { stated, proof, policy } = statement as unknown as Pick<
    Says,
    'stated' | 'proof' | 'policy'
  >
  const expires = expiresAt && formatInstant(expiresAt.getTime())
  const evidence = { ...(proof && { proof }), ...(policy && { policy }) }
  const says = { proposal, decision, by, standing, why, stated, expires, ...evidence }
  const subject = [{ name: 'writeback-proposal', digest: { sha256: digest } }]
  return { subject, ids: idsOf(recordable), agents, says }
}

/**
 * Records a decision in the transaction that stores it if the log is in the same database. Returns whether it was
 * recorded; otherwise the caller records it afterwards.
 */
export async function recordIn(tx: Tx, recordable: Recordable, gateway: Gateway): Promise<boolean> {
  const { log } = gateway
  if (!isInDatabase(log)) return false
  const { agents } = (await readProposal(tx, recordable)) ?? {}
  const draft = gateway.draft(
    'writeback-decision',
    recordingOf({ ...recordable, agents: agents ?? [] }),
  )
  const [answer] = await log.appendIn(tx, [draft])
  if (!answer) throw new WaybillError('internal', 'the log returned no result')
  return note(
    tx,
    recordable,
    'taken' in answer ? await sameAs(recordable, answer, log) : answer.digest,
  )
}

/**
 * Records every unrecorded decision of a tenant, queues the approved proposals for delivery and returns the number of
 * decisions recorded. Safe to run concurrently.
 */
export async function recordDecisions(
  store: Store,
  tenant: string,
  gateway: Gateway,
): Promise<number> {
  let first: unknown
  let recorded = 0
  let waiting: Awaited<ReturnType<typeof listUnrecorded>> = []
  do {
    const after = waiting.at(-1)
    waiting = await store.tenant(tenant, tx => listUnrecorded(tx, GROUP, after))
    for (const which of waiting) {
      try {
        if (await recordDecision(store, { tenant, ...which }, gateway)) recorded++
      } catch (error) {
        // One failure must not block the others.
        first ??= error
      }
    }
  } while (waiting.length === GROUP)
  if (first !== undefined) throw first
  return recorded
}

/** Records a decision and queues an approved proposal for delivery; returns false when there is nothing to record. */
export async function recordDecision(
  store: Store,
  which: Which,
  gateway: Gateway,
): Promise<boolean> {
  try {
    return await recordOne(store, which, gateway)
  } catch (error) {
    throw notRecorded(error)
  }
}

async function recordOne(store: Store, which: Which, gateway: Gateway): Promise<boolean> {
  const { log } = gateway
  if (isInDatabase(log))
    return store.tenant(which.tenant, async tx => {
      const found = await readProposal(tx, which)
      if (!found?.decision || found.decision.entry !== null) return false
      await mustBeStated({ ...which, ...found.decision }, found, gateway)
      return recordIn(tx, { ...which, ...found.decision }, gateway)
    })
  const found = await store.tenant(which.tenant, tx => readProposal(tx, which))
  if (!found?.decision || found.decision.entry !== null) return false
  const recordable = { ...which, ...found.decision, agents: found.agents }
  await mustBeStated(recordable, found, gateway)
  const answer = await gateway.record('writeback-decision', recordingOf(recordable))
  const entry = 'taken' in answer ? await sameAs(recordable, answer, log) : answer.digest
  // Other processes trust only what a published checkpoint covers.
  await log.covered()
  return store.tenant(which.tenant, tx => note(tx, recordable, entry))
}

function note(tx: Tx, { mission, proposal }: Which, entry: string): Promise<boolean> {
  return noteEntry(tx, { mission, proposal, entry, task: deliveryTask(proposal) })
}

/** Returns the existing entry if another process recorded the same decision; throws if it differs. */
async function sameAs(recordable: Recordable, { index, digest }: Taken, log: Log): Promise<string> {
  const entry = await entryAt(log, index)
  if (entry.is === 'entry' && entry.statement.predicate.stated === recordable.statement.stated)
    return digest
  throw new WaybillError(
    'conflict',
    `the log records a different decision on the proposal: see entry ${digest}`,
    { hint: `waybill log show ${digest} shows the recorded decision` },
  )
}

function isInDatabase(log: Log): log is PostgresLog {
  return 'appendIn' in log
}

function notRecorded(cause: unknown): WaybillError {
  const why = cause instanceof Error ? cause.message : String(cause)
  const code = cause instanceof WaybillError ? cause.code : 'internal'
  return new WaybillError(
    code,
    `the decision was stored but could not be recorded in the log: ${why}`,
    {
      hint:
        code === 'not-approved' && cause instanceof WaybillError && cause.hint
          ? cause.hint
          : 'it takes effect once recorded; Waybill retries with the next command for this tenant',
      cause,
    },
  )
}
