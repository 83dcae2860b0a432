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

/** So many decisions are asked for at a time. */
const GROUP = 100

type Says = Predicates['writeback-decision']

/** What is told of a decision: where it came from is told as well, if that is known. */
type Told = Which & ProposalDecision & Partial<Pick<StoredProposal, 'agents'>>

/** What names the decision on a proposal, and what came of it, in the log; there is one of each. */
export function decisionId({ tenant, mission, proposal }: Which): string {
  return valueDigest(['writeback', tenant, mission, proposal])
}

/** Ids under which something about a proposal is found; one that no key can hold is left out. */
export function idsOf(which: Which) {
  const { mission, proposal } = which
  return {
    mission,
    decision: decisionId(which),
    ...(isLine(proposal) && { artifacts: [proposal] }),
  }
}

/** Whether a key of the log can hold an id. */
export function isLine(id: string): boolean {
  return !/[\p{Cc}\u2028\u2029]/u.test(id)
}

function recordingOf(told: Told) {
  const { digest, decision, by, standing, why, statement, expiresAt, proposal, agents = [] } = told
  const { stated, proof, policy } = statement as unknown as Pick<
    Says,
    'stated' | 'proof' | 'policy'
  >
  const expires = expiresAt && formatInstant(expiresAt.getTime())
  const beside = { ...(proof && { proof }), ...(policy && { policy }) }
  const says = { proposal, decision, by, standing, why, stated, expires, ...beside }
  const subject = [{ name: 'writeback-proposal', digest: { sha256: digest } }]
  return { subject, ids: idsOf(told), agents, says }
}

/**
 * Records a decision in the transaction in which it was made, where the log is in the same database; elsewhere it is left
 * to be recorded after that. Answers whether it is recorded.
 */
export async function recordIn(tx: Tx, told: Told, gateway: Gateway): Promise<boolean> {
  const { log } = gateway
  if (!isInDatabase(log)) return false
  const { agents } = (await readProposal(tx, told)) ?? {}
  const draft = gateway.draft('writeback-decision', recordingOf({ ...told, agents: agents ?? [] }))
  const [answer] = await log.appendIn(tx, [draft])
  if (!answer) throw new WaybillError('internal', 'the log has answered nothing')
  return note(tx, told, 'taken' in answer ? await sameAs(told, answer, log) : answer.digest)
}

/**
 * Records every decision of a tenant that no entry tells of yet, and sends what was approved on its way; answers how many.
 *
 * Nothing is recorded or sent twice, whoever else does the same at the same time.
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
        // One that cannot be recorded must not hold up the others, however many there are.
        first ??= error
      }
    }
  } while (waiting.length === GROUP)
  if (first !== undefined) throw first
  return recorded
}

/** Records one decision that no entry tells of yet, and sends what was approved on its way; false where there is none. */
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
  const told = { ...which, ...found.decision, agents: found.agents }
  await mustBeStated(told, found, gateway)
  const answer = await gateway.record('writeback-decision', recordingOf(told))
  const entry = 'taken' in answer ? await sameAs(told, answer, log) : answer.digest
  // Other processes see what a published checkpoint covers, and one of them may deliver it at once.
  await log.covered()
  return store.tenant(which.tenant, tx => note(tx, told, entry))
}

function note(tx: Tx, { mission, proposal }: Which, entry: string): Promise<boolean> {
  return noteEntry(tx, { mission, proposal, entry, task: deliveryTask(proposal) })
}

/** Whoever was faster may have recorded the same; that something else was decided is not passed over. */
async function sameAs(told: Told, { index, digest }: Taken, log: Log): Promise<string> {
  const entry = await entryAt(log, index)
  if (entry.is === 'entry' && entry.statement.predicate.stated === told.statement.stated)
    return digest
  throw new WaybillError(
    'conflict',
    `the log says something else of the proposal: see its entry ${digest}`,
    { hint: `waybill log show ${digest} shows what was decided` },
  )
}

function isInDatabase(log: Log): log is PostgresLog {
  return 'appendIn' in log
}

function notRecorded(cause: unknown): WaybillError {
  const why = cause instanceof Error ? cause.message : String(cause)
  const code = cause instanceof WaybillError ? cause.code : 'internal'
  return new WaybillError(code, `a decision stands, and could not be recorded: ${why}`, {
    hint:
      code === 'not-approved' && cause instanceof WaybillError && cause.hint
        ? cause.hint
        : 'nobody acts on it before it is recorded, which is tried again whenever something is done for the tenant',
    cause,
  })
}
