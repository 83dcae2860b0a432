import { generateKeyPairSync, sign, verify } from 'node:crypto'
import { closeSync, fdatasyncSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { decode, findHiddenText, findSecrets } from '../../src/document/index.ts'
import {
  type DecisionContext,
  openDecisionContext,
  openGateway,
  openPolicies,
  type Policies,
  readHandoff,
  receive,
} from '../../src/governance/index.ts'
import { loadConfig, sha256 } from '../../src/workspace/index.ts'
import { type GovernedRepository, openGovernedRepository } from '../../test/governed-repository.ts'
import type { Figure } from '../figure.ts'
import { type Contender, race, wholeProcess } from '../measure.ts'
import { root, type Stage } from '../stage.ts'
import { type SentHandoff, sendHandoffs } from '../workloads/handoffs.ts'
import { policyHandoff, writePolicies } from '../workloads/policies.ts'
import { seeded } from '../workloads/random.ts'

const CALLERS = 8
const HANDOFFS = 240
const RATIO = { target: { kind: 'times-faster', limit: 0.4 } } as const
/** 1,500 per second, in microseconds each. */
const RATE = { target: { kind: 'at-most', limit: 667 } } as const

/** Handoffs received in one process by eight callers, against the same checks, signature, decision and write in sequence. */
export async function receiving({ quick }: Stage): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const count of [20, 200]) {
    await withDecisionContext(count, async ({ decisionContext, asked, repository }) => {
      const [ours, theirs, remembered] = await race(quick ? 3 : 11, [
        receivingAll(asked, decisionContext),
        bareParts(repository, await asked()),
        receivingAll(decisionContext, decisionContext),
      ])
      if (!ours || !theirs || !remembered) return
      const what = `receive a handoff, 8 callers, ${count} policies`
      const alike = `${what}, equal questions to the policies answered from memory`
      figures.push({ what, unit: 'µs', ours, theirs, ...(count === 20 && RATIO) })
      if (count === 20) figures.push({ what: `${what}, 1,500 a second`, unit: 'µs', ours, ...RATE })
      figures.push({ what: alike, unit: 'µs', ours: remembered })
    })
  }
  return figures
}

/** One handoff received by a separate process, against an empty Node start. */
export async function oneReceived({ clone, floor, quick }: Stage): Promise<Figure[]> {
  const rounds = quick ? 5 : 25
  const repository = await openGovernedRepository()
  try {
    const config = await loadConfig(repository.root)
    const gateway = await openGateway(repository.root, config, { now: Date.now })
    // One more for the discarded warm-up round.
    const sent = await sendHandoffs(
      rounds + 1,
      openDecisionContext(repository.root, config, gateway),
    )
    await gateway.close()
    for (const { id, bytes, envelope } of sent) {
      repository.write(`${id}.json`, bytes)
      repository.write(`${id}.dsse.json`, envelope)
    }
    const rest = sent.values()
    const run = () => {
      const args = ['receive', `${rest.next().value?.id}.json`]
      return wholeProcess('waybill', { program: clone.program, args, cwd: repository.root }).run()
    }
    const [ours, theirs] = await race(rounds, [
      { name: 'waybill', run },
      wholeProcess('node -e 0', floor),
    ])
    if (!ours || !theirs) return []
    const target = { kind: 'times-at-most', limit: 7 } as const
    const what = '`waybill receive`, cold, until a checkpoint covers it'
    return [{ what, unit: 'ms', ours, theirs, target }]
  } finally {
    repository.remove()
  }
}

const DOCUMENTS = 200

/** Scans documents of 2 KB for credentials and hidden text. */
export async function scans({ quick }: Stage): Promise<Figure[]> {
  const documents = Array.from({ length: DOCUMENTS }, (_, number) => {
    const { sentences } = seeded(number)
    return JSON.stringify({ title: `document ${number}`, text: sentences(22) }, null, 2)
  })
  const run = () => {
    const start = performance.now()
    for (const text of documents) {
      if (findSecrets(text).length + findHiddenText(text).length > 0)
        throw new Error('there is nothing to be found')
    }
    return ((performance.now() - start) * 1000) / DOCUMENTS
  }
  const [ours] = await race(quick ? 5 : 41, [{ name: 'waybill', run }])
  if (!ours) return []
  const target = { kind: 'at-most', limit: 100 } as const
  return [{ what: 'secret and Unicode scan of a 2 KB document', unit: 'µs', ours, target }]
}

interface Ground {
  readonly repository: GovernedRepository
  /** Answers repeated policy requests from the cache. */
  readonly decisionContext: () => Promise<DecisionContext>
  /** Evaluates every request. */
  readonly asked: () => Promise<DecisionContext>
}

async function withDecisionContext(
  count: number,
  work: (ground: Ground) => Promise<void>,
): Promise<void> {
  const repository = await openGovernedRepository('policies: policies\n')
  try {
    writePolicies(repository.root, count)
    const config = await loadConfig(repository.root)
    const program = (name: string) => () => new URL(`file://${join(root, 'dist', name)}`)
    const worker = program('ledger-worker.cjs')
    const policyWorker = program('policy-worker.cjs')
    const programs = { worker, policyWorker }
    const gateway = await openGateway(repository.root, config, { now: Date.now, ...programs })
    try {
      const decisionContext = openDecisionContext(repository.root, config, gateway)
      const { policyThread: thread } = gateway
      const policies = openPolicies(repository.root, config, { remember: false, thread })
      await work({
        repository,
        decisionContext,
        asked: async () => ({ ...(await decisionContext()), policies }),
      })
    } finally {
      await gateway.close()
    }
  } finally {
    repository.remove()
  }
}

/** Sends the handoffs of a round before timing starts. */
function receivingAll(
  decisionContext: () => Promise<DecisionContext>,
  sender: () => Promise<DecisionContext>,
): Contender {
  const run = async () => {
    const sent = await sendHandoffs(HANDOFFS, sender)
    const { gateway } = await sender()
    await gateway.log.covered()
    const rest = sent.values()
    const start = performance.now()
    await Promise.all(Array.from({ length: CALLERS }, () => receiveEach(rest, decisionContext)))
    return ((performance.now() - start) * 1000) / HANDOFFS
  }
  return { name: 'waybill', run }
}

async function receiveEach(
  handoffs: Iterable<SentHandoff>,
  decisionContext: () => Promise<DecisionContext>,
): Promise<void> {
  for (const { bytes, envelope } of handoffs) {
    const read = await readHandoff(decode(bytes), 'json')
    const brought = { read, bytes: sha256(bytes), envelope, as: undefined }
    const { answer, diagnostics } = await receive(brought, await decisionContext())
    if (answer !== 'accepted') throw new Error(diagnostics[0]?.message ?? answer)
  }
}

/** The size of an accepted handoff's entry in bytes. */
const ENTRY_BYTES = 9000

function bareParts({ root: folder }: GovernedRepository, { policies }: DecisionContext): Contender {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const entry = Buffer.alloc(ENTRY_BYTES, 'e')
  const signature = sign('sha256', entry, privateKey)
  let number = 0
  const run = () => {
    const file = join(folder, 'bare')
    writeFileSync(file, '')
    const descriptor = openSync(file, 'r+')
    const start = performance.now()
    for (let i = 0; i < HANDOFFS; i++) {
      if (!verify('sha256', entry, publicKey, signature)) throw new Error('the signature is good')
      mustAllow(policies, number++)
      sign('sha256', entry, privateKey)
      writeSync(descriptor, entry)
      fdatasyncSync(descriptor)
    }
    const time = ((performance.now() - start) * 1000) / HANDOFFS
    closeSync(descriptor)
    rmSync(file)
    return time
  }
  return { name: 'its parts alone', run }
}

function mustAllow(policies: Policies, number: number): void {
  const { decision } = policies.decide(policyHandoff(number))
  if (decision !== 'allow') throw new Error('the handoff is not allowed')
}
