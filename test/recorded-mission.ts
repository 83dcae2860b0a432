import { createHash, randomUUID } from 'node:crypto'
import {
  type AuditTrust,
  auditTrustOf,
  type Gateway,
  openGateway,
  readTrust,
} from '../src/governance/index.ts'
import { answerAs } from '../src/mission/approvals/answer.ts'
import { decisionId, recordDecision } from '../src/mission/approvals/record.ts'
import { decisionText } from '../src/mission/approvals/stated.ts'
import type { Attempt } from '../src/mission/run/durable.ts'
import { type Ending, endAttempt } from '../src/mission/run/endings.ts'
import { requestOf } from '../src/mission/run/handover.ts'
import { submitMission } from '../src/mission/run/submit.ts'
import type { Task } from '../src/mission/runner.ts'
import {
  claimDelivery,
  claimTask,
  insertDecision,
  insertToolCall,
  type MissionSnapshot,
  noteDelivery,
  readInputs,
  readRun,
  readSnapshot,
  readStart,
  readTask,
  type Store,
} from '../src/store/index.ts'
import { loadConfig } from '../src/workspace/index.ts'
import { openDatabase } from './database.ts'
import { openLedgerFolder } from './ledger-folder.ts'
import { digestOf, envelopeOf, exampleOf, graphOf, type Payload } from './mission-payloads.ts'

/** The tenant of recorded missions. */
export const TENANT = 'acme'

/** A moment after everything that the examples tell of. */
export const LATER = Date.UTC(2040, 0, 1)

/** Who does what in a recorded mission, and after what. */
const PARTS: Readonly<Record<string, readonly [role: string, after: readonly string[]]>> = {
  search: ['researcher', []],
  count: ['worker', ['search']],
  weigh: ['worker', ['search']],
  join: ['aggregator', ['count', 'weigh']],
  review: ['reviewer', ['join']],
}

const NO_USAGE = { inputTokens: 0, outputTokens: 0 }
const AGENT = 'domain-05-product'

/** A mission whose tasks a test does itself, by the steps that workers take. */
export interface RecordedMission {
  readonly mission: string
  /** Does a task: it is handed over, begun, and ended with what its role returns. */
  do(task: string, more?: Payload): Promise<void>
  /** Begins a task, and leaves it so. */
  begin(task: string): Promise<void>
  /** Fails a task for good. */
  fail(task: string): Promise<void>
  /** Lets a task wait for a person. */
  wait(task: string): Promise<void>
  /** Answers a task that waits for one. */
  answer(task: string, by: string): Promise<void>
  /** Does everything that is left. */
  finish(): Promise<void>
  /** Decides on the proposal that the review has made. */
  decide(decision: 'approved' | 'rejected'): Promise<void>
  /** Notes that the approved proposal has arrived. */
  deliver(): Promise<void>
  /** The same mission in another database. */
  elsewhere(store: Store): RecordedMission
}

/** Begins a mission; its handoffs and decisions are recorded by the gateway. */
async function beginMission(store: Store, gateway: Gateway): Promise<RecordedMission> {
  const mission = randomUUID()
  const ids = Object.keys(PARTS)
  const after = ids.map(task => [task, PARTS[task]?.[1] ?? []])
  const graph = graphOf(mission, Object.fromEntries(after))
  const tasks = (graph.tasks as Payload[]).map(task => ({
    ...task,
    role_type: PARTS[String(task.task_id)]?.[0],
  }))
  await submitMission(store, {
    envelope: envelopeOf(mission, TENANT),
    graph: { ...graph, tasks },
    decisions: [{ ...exampleOf('policy-decision.v1'), mission_id: mission }],
    plans: ids.map(task => ({ task, agent: AGENT, prompt: null, retries: RETRIES })),
    template: 'brief',
  })
  return missionAt({ store, gateway, mission }, ids)
}

const WAITS = { is: 'waiting', for: 'person', token: null, again: null, reason: null } as const

/** A mission in whose tasks a test goes on, of which some are left. */
function missionAt(place: Place, ids: readonly string[]): RecordedMission {
  const { mission } = place
  const left = new Set(ids)
  const end = async (task: string, ending: Ending) => {
    await endTask(place, task, ending)
    left.delete(task)
  }
  const one: RecordedMission = {
    mission,
    begin: async task => void (await beginTask(place, task)),
    do: (task, more = {}) =>
      end(task, {
        is: 'done',
        artifacts: made(mission, task, more),
        plans: [],
        revision: 0,
        usage: USED,
      }),
    fail: task => end(task, { is: 'failed', reason: REASON, mayRetry: false, usage: USED }),
    wait: task => end(task, { ...WAITS, usage: NO_USAGE }),
    answer: async (task, by) => {
      const { store, gateway } = place
      await answerAs(store, gateway, { tenant: TENANT, mission, task, answer: {}, by })
    },
    finish: async () => {
      for (const task of [...left]) await one.do(task)
    },
    decide: decision => decide(place, decision),
    deliver: () => deliver(place),
    elsewhere: store => missionAt({ ...place, store }, [...left]),
  }
  return one
}

interface Place {
  readonly store: Store
  readonly gateway: Gateway
  readonly mission: string
}

async function beginTask({ store, gateway, mission }: Place, task: string) {
  const worker = randomUUID()
  const run = await store.tenant(TENANT, tx => readTask(tx, mission, task))
  const attempt = run?.attempt ?? 0
  const claim = { mission, task, attempt, worker }
  const claimed = await store.tenant(TENANT, tx => claimTask(tx, claim))
  if (!run || !claimed) throw new Error(`the task ${task} cannot begin`)
  // Who waited was handed the task before.
  const handoff = run.handoff ?? randomUUID()
  const which = { tenant: TENANT, mission, task, attempt }
  if (run.handoff === null) await recordHandoff({ store, gateway }, which, handoff)
  return { attempt: which, task: run, worker, handoff }
}

async function endTask(place: Place, task: string, ending: Ending): Promise<void> {
  const { store, mission } = place
  const leaving = await beginTask(place, task)
  const refs = PARTS[task]?.[0] === 'worker' ? REFS : []
  for (const ref of refs)
    await store.tenant(TENANT, tx => insertToolCall(tx, callOf(mission, task, ref)))
  await store.tenant(TENANT, async tx => {
    const { revision = 0 } = (await readRun(tx, mission)) ?? {}
    return endAttempt(tx, leaving, ending.is === 'done' ? { ...ending, revision } : ending)
  })
}

async function decide(
  { store, gateway, mission }: Place,
  decision: 'approved' | 'rejected',
): Promise<void> {
  const at = gateway.time()
  const said = {
    ...{ mission, proposal: PROPOSAL, digest: digestOf(proposalOf(mission)), decision },
    ...{ by: 'Ada', why: 'it is right' },
    expiresAt: decision === 'approved' ? new Date(at + 86_400_000) : null,
  }
  const stated = decisionText({ ...said, tenant: TENANT, origin: gateway.origin, at })
  const decided = { standing: 'claimed', statement: { stated }, decidedAt: new Date(at) } as const
  await store.tenant(TENANT, tx => insertDecision(tx, { ...said, ...decided }))
  await recordDecision(store, { tenant: TENANT, ...said }, gateway)
}

async function deliver({ store, gateway, mission }: Place): Promise<void> {
  const which = { mission, proposal: PROPOSAL, attempt: 1 }
  await store.tenant(TENANT, tx => claimDelivery(tx, which))
  const said = { code: 'mission/delivered', message: 'it has arrived' }
  await gateway.record('writeback-outcome', {
    subject: [{ name: PROPOSAL, digest: { sha256: digestOf(proposalOf(mission)) } }],
    ids: { mission, decision: decisionId({ tenant: TENANT, mission, proposal: PROPOSAL }) },
    says: { proposal: PROPOSAL, outcome: 'delivered', ...said, attempts: 1 },
  })
  const outcome = { is: 'delivered', ...said, failures: 0 } as const
  await store.tenant(TENANT, tx => noteDelivery(tx, which, { state: 'delivered', outcome }))
}

const REASON = { code: 'mission/runner-failed', message: 'it ended with 1' }
const PROPOSAL = 'wb_001'
const RETRIES = { limit: 0, first: 1, longest: 1 }
const USED = { inputTokens: 10, outputTokens: 5 }
const REFS = ['toolcall_001', 'toolcall_002']

function callOf(mission: string, task: string, ref: string) {
  const digest = createHash('sha256').update(ref).digest('hex')
  return {
    ...{ ref: `${ref}_${task}`, tool: 'crm_search', server: 'crm', mission, task, attempt: 1 },
    ...{ decision: 'allow' as const, policies: ['built-in'], argsDigest: digest },
    ...{ resultDigest: digest, resultBytes: 12, cut: 0, isError: false },
    ...{ startedAt: '2026-04-14T12:02:00.000Z', ms: 3 },
  }
}

function proposalOf(mission: string): Payload {
  return { ...exampleOf('writeback-proposal.v1'), mission_id: mission }
}

/** What a task returns, by its role. */
function made(mission: string, task: string, more: Payload): readonly Payload[] {
  const of = (id: string, own: Payload) => ({
    ...exampleOf(`${id}.v1`),
    mission_id: mission,
    ...own,
    ...more,
  })
  switch (PARTS[task]?.[0]) {
    case 'researcher':
      return [of('research-artifact', { task_id: task })]
    case 'worker': {
      const tool_trace_refs = REFS.map(ref => `${ref}_${task}`)
      return [of('worker-result', { task_id: task, result_id: `wrk_${task}`, tool_trace_refs })]
    }
    case 'aggregator':
      return [
        of('aggregation-packet', {
          evidence_matrix: [{ claim: 'c', support_refs: ['wrk_count', 'wrk_weigh', 'lead_123'] }],
        }),
      ]
    default:
      return [of('review-packet', {}), proposalOf(mission)]
  }
}

async function recordHandoff(
  { store, gateway }: Pick<Place, 'store' | 'gateway'>,
  attempt: Attempt,
  handoff: string,
): Promise<void> {
  const { mission, task } = attempt
  const inputs = await store.tenant(TENANT, tx => readInputs(tx, mission, task))
  const { record } = (await store.tenant(TENANT, tx => readStart(tx, mission, task))) ?? {}
  const request = requestOf({ attempt, task: record as unknown as Task, inputs })
  const sha256 = createHash('sha256').update(handoff).digest('hex')
  await gateway.record('handoff-accepted', {
    subject: [{ name: 'handoff', digest: { sha256 } }],
    ids: { handoff, mission, task },
    agents: [AGENT],
    says: {
      ...{ to: AGENT, bytes: sha256, attestation: null, found: [], envelope: null },
      document: { context: { request } },
    },
  })
}

/** A database and a log for recorded missions. */
export interface RecordedMissions {
  readonly store: Store
  /** Of the database. */
  readonly url: string
  readonly gateway: Gateway
  readonly trust: AuditTrust
  begin(): Promise<RecordedMission>
  /** Everything that there is of a mission. */
  read(mission: string): Promise<MissionSnapshot>
  remove(): Promise<void>
}

/** Makes both, for the time of a test file. */
export async function openRecordedMissions(): Promise<RecordedMissions> {
  const database = await openDatabase()
  const folder = await openLedgerFolder()
  const config = { ...(await loadConfig(folder.root)), people: 'claimed' as const }
  const gateway = await openGateway(folder.root, config, { now: Date.now })
  const { store, url } = database
  return {
    ...{ store, url, gateway },
    trust: auditTrustOf(readTrust(config), gateway.origin),
    begin: () => beginMission(store, gateway),
    read: async mission => {
      const found = await store.tenant(TENANT, tx => readSnapshot(tx, mission))
      if (!found) throw new Error('there is no such mission')
      return found
    },
    remove: async () => {
      await gateway.close()
      folder.remove()
      await database.remove()
    },
  }
}
