import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { type SentHandoff, sendHandoffs } from '../../../bench/workloads/handoffs.ts'
import {
  draftOf,
  type GovernedRepository,
  openGovernedRepository,
} from '../../../test/governed-repository.ts'
import { decode } from '../../document/index.ts'
import { type Config, loadConfig, sha256 } from '../../workspace/index.ts'
import { digestValue } from '../digest.ts'
import { entryAt } from '../entries/lookup.ts'
import { type Gateway, openGateway } from '../gateway/gateway.ts'
import { recordApproval } from '../handoff/approve.ts'
import { readHandoff } from '../handoff/check.ts'
import { openDecisionContext } from '../handoff/decision-context.ts'
import type { DecisionContext } from '../handoff/judge.ts'
import { openPolicies, type Policies } from '../policy/decide.ts'
import { send } from '../send/send.ts'
import { receive } from './receive.ts'

const OWN = new URL('../policy/worker.ts', import.meta.url)

const endings: (() => unknown)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})

interface Stand {
  readonly repository: GovernedRepository
  readonly gateway: Gateway
  readonly decisionContext: () => Promise<DecisionContext>
}

/** A gateway that asks its policies again for every handoff. */
async function stand(program = () => OWN, more: Config = {}): Promise<Stand> {
  const repository = await openGovernedRepository()
  const config = { ...(await loadConfig(repository.root)), ...more }
  const gateway = await openGateway(repository.root, config, {
    now: Date.now,
    policyWorker: program,
  })
  endings.push(
    () => repository.remove(),
    () => gateway.close(),
  )
  const opened = openDecisionContext(repository.root, config, gateway)
  const { policyThread: thread } = gateway
  const policies = openPolicies(repository.root, config, { remember: false, thread })
  return { repository, gateway, decisionContext: async () => ({ ...(await opened()), policies }) }
}

async function receiveOne({ bytes, envelope }: SentHandoff, decisionContext: DecisionContext) {
  const read = await readHandoff(decode(bytes), 'json')
  const brought = { read, bytes: sha256(bytes), envelope, as: undefined }
  return receive(brought, decisionContext)
}

/** Has a thread started by what is sent here at once. */
async function crowd({ gateway, decisionContext }: Stand): Promise<void> {
  for (let i = 0; i < 20 && !gateway.policyThread?.isReady; i++)
    await sendHandoffs(40, decisionContext)
  await vi.waitFor(() => expect(gateway.policyThread?.isReady).toBe(true), { timeout: 60_000 })
}

test('several callers have their handoffs accepted by a thread, each once', async () => {
  const own = await stand()
  await crowd(own)
  const sent = await sendHandoffs(24, own.decisionContext)
  const twice = [...sent, ...sent]
  const all = await Promise.all(
    twice.map(async one => receiveOne(one, await own.decisionContext())),
  )
  const accepted = all.filter(({ answer }) => answer === 'accepted')
  expect(accepted.map(({ claims }) => claims.handoff).sort()).toEqual(
    sent.map(({ id }) => id).sort(),
  )
  const refused = all.filter(({ answer }) => answer === 'rejected')
  for (const { diagnostics } of refused)
    expect(diagnostics.map(({ code }) => code)).toEqual(['agent-handoff/not-replayed'])
})

test('what a thread was asked when it ended is refused, and the log says why', async () => {
  const program = `import { parentPort } from 'node:worker_threads'
parentPort.on('message', () => process.exit())
parentPort.postMessage([{}])`
  const own: Stand = await stand(() => {
    const file = join(own.repository.root, 'program.mjs')
    writeFileSync(file, program)
    return new URL(`file://${file}`)
  })
  const sent = await sendHandoffs(40, async () => ({
    ...(await own.decisionContext()),
    policies: calm(own),
  }))
  await crowd(own)
  const [first, second] = sent
  if (!first || !second) throw new Error('two were sent')
  const refused = await receiveOne(first, await own.decisionContext())
  expect(refused.answer).toBe('rejected')
  const message = 'the policies did not decide: the policy worker thread has exited'
  expect(refused.diagnostics).toMatchObject([{ code: 'gateway/policy-failed', message }])
  const entry = await entryAt(own.gateway.log, refused.receipt.index)
  expect(entry).toMatchObject({
    kind: 'handoff-rejected',
    statement: {
      predicate: {
        attestation: {
          policy: {
            decision: 'deny',
            errors: ['the policy worker thread has exited'],
          },
        },
      },
    },
  })
  expect((await receiveOne(second, await own.decisionContext())).answer).toBe('accepted')
})

/** Policies that no thread is started for. */
function calm({ repository, gateway }: Stand): Policies {
  return openPolicies(repository.root, gateway.config)
}

/** Policies that are asked while a person says something of the handoff. */
function meanwhile(policies: Policies, say: () => Promise<unknown>): Policies {
  let isSaid = false
  const decideAside: Policies['decideAside'] = async request => {
    if (!isSaid) await say()
    isSaid = true
    return policies.decideAside(request)
  }
  return { ...policies, decideAside }
}

/** A person rejects exactly this document. */
function reject(handoff: string, document: unknown, gateway: Gateway) {
  const digest = digestValue(document)
  if (typeof digest !== 'string') throw new Error('it can be digested')
  return recordApproval(
    {
      ...{ handoff, from: 'domain-05-product', to: 'domain-02-analysis', sha256: digest },
      ...{ decision: 'rejected', by: 'mia', why: 'not now' },
    },
    { by: 'mia', standing: 'claimed' },
    '',
    gateway,
  )
}

const REJECTED = ['rejected', ['gateway/not-approved']]

test('a handoff that a person rejects while the policies are asked is judged again', async () => {
  const { gateway, decisionContext } = await stand(() => OWN, { people: 'claimed' })
  const [sent] = await sendHandoffs(1, decisionContext)
  if (!sent) throw new Error('one was sent')
  const now = await decisionContext()
  const document = JSON.parse(sent.bytes.toString())
  const policies = meanwhile(now.policies, () => reject(sent.id, document, gateway))
  const { answer, diagnostics } = await receiveOne(sent, { ...now, policies })
  expect([answer, diagnostics.map(({ code }) => code)]).toEqual(REJECTED)
})

test('a draft that a person rejects while the policies are asked is judged again', async () => {
  const { gateway, decisionContext } = await stand(() => OWN, { people: 'claimed' })
  const handoff_id = '0b9dd7ff-6b0a-4a52-8a2e-3a1f6f1f9a11'
  const document = { ...draftOf('domain-05-product', 'domain-02-analysis'), handoff_id }
  const text = JSON.stringify(document)
  const read = await readHandoff(decode(Buffer.from(text)), 'json')
  const now = await decisionContext()
  const policies = meanwhile(now.policies, () => reject(handoff_id, document, gateway))
  const draft = { read, bytes: sha256(text), previous: undefined }
  const { answer, diagnostics } = await send(draft, { ...now, policies })
  expect([answer, diagnostics.map(({ code }) => code)]).toEqual(REJECTED)
})
