import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { CONFIG, handoff, policyRepositories, tool } from '../../../test/policies.ts'
import { anyPolicy, anyRequest } from '../../../test/policy-arbitraries.ts'
import { decideBy, type Policies, readConfigured } from './decide.ts'
import { inspectPolicies } from './inspect.ts'
import { PolicyThread } from './thread.ts'

const repository = policyRepositories()
const OWN = new URL('./worker.ts', import.meta.url)

const threads: PolicyThread[] = []
afterEach(() => Promise.all(threads.splice(0).map(thread => thread.close())))

function threadOf(program = OWN): PolicyThread {
  const thread = new PolicyThread(() => program)
  threads.push(thread)
  return thread
}

/** Asks so much at once that a thread is started. */
const crowd = (policies: Policies) =>
  Promise.all(Array.from({ length: 20 }, () => policies.decideAside(handoff)))

function inspected(...policies: readonly string[]) {
  return inspectPolicies(readConfigured(repository({ 'a.cedar': policies.join('\n') }), CONFIG))
}

/** Policies that a thread decides by. */
async function aside(set: ReturnType<typeof inspected>, thread = threadOf()): Promise<Policies> {
  const policies = decideBy(set, { remember: false, thread })
  await crowd(policies)
  await vi.waitFor(() => expect(thread.isReady).toBe(true), { timeout: 60_000 })
  return policies
}

/** A thread that says it is ready, and what it does when it is asked. */
function programOf(answer: string): URL {
  const file = join(repository({}), 'program.mjs')
  const text = `import { parentPort } from 'node:worker_threads'
parentPort.on('message', requests => { ${answer} })
parentPort.postMessage([{}])`
  writeFileSync(file, text)
  return new URL(`file://${file}`)
}

const NEEDING = '@needs("more") forbid (principal, action == Waybill::Action::"handoff", resource);'

test('a thread decides as the process itself does, for the same reasons and in the same words', async () => {
  const kinds = new Set<string>()
  const ask = async (own: readonly string[], several: Parameters<Policies['decide']>[0][]) => {
    const set = inspected(...own)
    const here = decideBy(set, { remember: false })
    const there = await aside(set)
    const answers = await Promise.all(several.map(there.decideAside))
    for (const [i, request] of several.entries()) {
      expect(answers[i]).toEqual(here.decide(request))
      kinds.add(answers[i]?.errors.length === 0 ? answers[i].decision : 'failed')
    }
  }
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyPolicy, { maxLength: 6 }),
      fc.array(anyRequest, { minLength: 60, maxLength: 60 }),
      ask,
    ),
    {
      numRuns: 8,
      examples: [
        [[], [handoff]],
        [[NEEDING], [handoff, { ...tool, tool: 'shell' }]],
      ],
    },
  )
  expect([...kinds].sort()).toEqual(['allow', 'deny', 'failed', 'needs-input'])
})

test('a thread is started only where several ask at a time', async () => {
  let started = false
  const thread = new PolicyThread(() => {
    started = true
    return OWN
  })
  threads.push(thread)
  const policies = decideBy(inspected(), { remember: false, thread })
  for (let i = 0; i < 100; i++) {
    expect((await policies.decideAside(handoff)).decision).toBe('allow')
    await turn()
  }
  expect(started).toBe(false)
  await crowd(policies)
  expect(started).toBe(true)
})

test('what is asked of another set of policies than that of the thread is decided by that set', async () => {
  const thread = threadOf()
  await aside(inspected(), thread)
  const other = decideBy(inspected('forbid (principal, action, resource);'), { thread })
  expect((await other.decideAside(handoff)).decision).toBe('deny')
})

test('what no message can hold is decided as the process itself decides it', async () => {
  const policies = await aside(inspected())
  const circular: Record<string, unknown> = {}
  circular.itself = circular
  const requests = [
    { ...handoff, extra: () => 'no message can hold this' },
    { ...handoff, facts: { ...handoff.facts, ageSeconds: Number.NaN } },
    { ...handoff, source: { ...handoff.source, id: 'half \ud83d' } },
    { ...handoff, extra: circular },
    { ...handoff, extra: 1n },
    handoff,
  ]
  const answers = await Promise.all(requests.map(policies.decideAside))
  expect(answers).toEqual(requests.map(policies.decide))
})

test('those who ask together are answered in parts, so that some go on while the thread decides for the others', async () => {
  const answer = `parentPort.postMessage(requests.map(() => ({ decision: 'allow', of: requests.length })))`
  const policies = await aside(inspected(), threadOf(programOf(answer)))
  const order: number[] = []
  const asking = Array.from({ length: 10 }, async (_, number) => {
    const outcome = await policies.decideAside(handoff)
    order.push(number)
    return outcome as unknown as { of: number }
  })
  expect((await Promise.all(asking)).map(({ of }) => of)).toEqual([4, 4, 4, 4, 4, 4, 4, 4, 2, 2])
  expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
})

test.each([
  ['that ends', 'process.exit()'],
  ['that throws', "throw new Error('no more')"],
  ['that leaves out a question', 'parentPort.postMessage([])'],
])('a handoff that waits for a thread %s is denied', async (_, answer) => {
  const policies = await aside(inspected(), threadOf(programOf(answer)))
  expect(await policies.decideAside(handoff)).toMatchObject({
    decision: 'deny',
    determining: [{ id: 'policy/failed', effect: 'none' }],
    errors: ['the policy worker thread has exited'],
  })
})

test('after the end of its thread a process decides by itself', async () => {
  const policies = await aside(inspected(), threadOf(programOf('process.exit()')))
  const first = await policies.decideAside(handoff)
  expect([first.decision, (await policies.decideAside(handoff)).decision]).toEqual([
    'deny',
    'allow',
  ])
})

test('a handoff that waits when the thread is closed is denied', async () => {
  const thread = threadOf(programOf(''))
  const policies = await aside(inspected(), thread)
  // More than are under way at a time.
  const waiting = Array.from({ length: 20 }, () => policies.decideAside(handoff))
  await thread.close()
  for (const { decision } of await Promise.all(waiting)) expect(decision).toBe('deny')
})

test.each([
  ['that is not there', 'file:///nowhere/worker.mjs'],
  ['that cannot be loaded from where it is', 'https://example.org/worker.mjs'],
])('a thread %s changes no decision', async (_, program) => {
  const thread = threadOf(new URL(program))
  const policies = decideBy(inspected(), { remember: false, thread })
  for (const { decision } of await crowd(policies)) expect(decision).toBe('allow')
  for (let i = 0; i < 50; i++) await turn()
  for (const { decision } of await crowd(policies)) expect(decision).toBe('allow')
})
