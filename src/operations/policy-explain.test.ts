import { mkdirSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  draftOf,
  type GovernedRepository,
  openGovernedRepository,
} from '../../test/governed-repository.ts'
import { text } from '../cli/render/policy-explain.ts'
import check from './check.ts'
import logErase from './log-erase.ts'
import policyExplain from './policy-explain.ts'
import receive from './receive.ts'
import send from './send.ts'

const PRODUCT = 'domain-05-product'
const ANALYSIS = 'domain-02-analysis'
const plain = (_: string, word: string) => word
const ASK = `@id("ask-ada") @reason("ada wants to see these") @needs("the approval of ada")
forbid (principal, action == Waybill::Action::"handoff", resource)
unless { context.approvals.contains("ada") };
`

let repository: GovernedRepository
let handoff = ''
let document = ''
/** Sent (0), waiting for input (1), then accepted by other policies (2), and refused as a replay (3). */
beforeAll(async () => {
  repository = await openGovernedRepository('policies: policies\npeople: claimed\n')
  mkdirSync(join(repository.root, 'policies'), { recursive: true })
  repository.write('policies/a.cedar', '// none yet\n')
  repository.write('a.json', JSON.stringify(draftOf(PRODUCT, ANALYSIS)))
  const sent = await send.run({ path: 'a.json' }, repository.app())
  handoff = sent.handoff ?? ''
  document = sent.document ?? ''
  repository.write('policies/a.cedar', ASK)
  expect((await receive.run({ path: document }, repository.app())).answer).toBe('needs-input')
  repository.write('policies/a.cedar', '// none again\n')
  expect((await receive.run({ path: document }, repository.app())).answer).toBe('accepted')
  expect((await receive.run({ path: document }, repository.app())).answer).toBe('rejected')
  repository.write('b.json', '{}')
  await receive.run({ path: 'b.json' }, repository.app())
})
afterAll(() => repository.remove())

const explain = (decision: string, more = {}) =>
  policyExplain.run({ decision, ...more }, repository.app())
const page = async (decision: string, more = {}) =>
  text(await explain(decision, more), plain, repository.app(), false)

const textOf = (path: string) => readFileSync(join(repository.root, path), 'utf8')

/** The check takes it for a policy_decision, and finds nothing wrong with it. */
async function expectAccepted(artifact: string): Promise<void> {
  repository.write('decision.json', artifact)
  const checked = await check.run({ paths: ['decision.json'] }, repository.app())
  const [report] = checked.documents
  expect(report?.contract).toBe('policy-decision')
  const found = report?.diagnostics.filter(({ severity }) => severity === 'error')
  // It stands alone, without the envelope of a mission.
  expect(found?.filter(({ code }) => !code.endsWith('/not-checked'))).toEqual([])
}

describe('a decision', () => {
  test('is named by its entry, or by the handoff for the newest one', async () => {
    const byId = await explain(handoff)
    expect(byId).toMatchObject({ entry: { index: 3 }, others: [0, 1, 2] })
    expect((await explain('3')).decision).toEqual(byId.decision)
    expect((await explain(byId.entry?.digest ?? '')).decision).toEqual(byId.decision)
  })

  test('tells policies with their text, facts, and what would change it', async () => {
    const { decision: denied } = await explain('3')
    expect(denied).toMatchObject({ decision: 'deny', same: true })
    expect(denied?.determining.map(({ id }) => id)).toEqual([
      'waybill/no-findings',
      'waybill/not-replayed',
    ])
    expect(denied?.determining[1]?.text).toContain('context.replayed')
    expect(denied?.facts).toContainEqual({ name: 'signed', value: true })
    expect(denied?.facts).toContainEqual({ name: 'findings', value: '1 or more' })
    expect(denied?.found).toEqual(['agent-handoff/not-replayed'])
    expect(denied?.would.join()).toContain('waybill explain agent-handoff/not-replayed')
  })

  test('that waits for input names what it needs', async () => {
    const { decision } = await explain('1')
    expect(decision).toMatchObject({ decision: 'needs-input', same: false })
    expect(decision?.determining).toMatchObject([
      { id: 'a.cedar#ask-ada', needs: 'the approval of ada', text: null, file: null },
    ])
    expect(decision?.would).toEqual(['the approval of ada (a.cedar#ask-ada)'])
    expect(await page('1')).toContain('The policies have changed since this decision')
  })

  test('shows where its policy stands while the policies are the same', async () => {
    repository.write('policies/a.cedar', ASK)
    const { decision } = await explain('1')
    repository.write('policies/a.cedar', '// none again\n')
    expect(decision).toMatchObject({
      same: true,
      determining: [{ file: 'policies/a.cedar', line: 1, text: expect.stringContaining('unless') }],
    })
  })

  test('by policies at fault is explained by the policies of today while the fault is there', async () => {
    repository.write('policies/a.cedar', 'forbid (principal, action, resource')
    const refused = await receive.run({ path: document }, repository.app())
    const { decision } = await explain(refused.receipt.digest)
    repository.write('policies/a.cedar', '// none again\n')
    expect(decision).toMatchObject({ decision: 'deny', same: true })
    expect((await explain(refused.receipt.digest)).decision).toMatchObject({ same: false })
  })

  test('is explained even where the policies of today cannot be read', async () => {
    const folder = join(repository.root, 'policies')
    renameSync(folder, `${folder}-away`)
    const { decision } = await explain('1')
    const shown = await page('1')
    renameSync(`${folder}-away`, folder)
    expect(decision).toMatchObject({ decision: 'needs-input', same: null })
    expect(shown).toContain('cannot be read: run waybill policy check')
    expect(shown).not.toContain('unknown')
  })

  test('to allow says what would stand against it', async () => {
    const shown = await page('2')
    expect(shown).toContain('Allowed: handing work to another agent.')
    expect(shown).toContain('requestType: analysis')
    expect(shown).toContain('a forbid that applies')
  })
})

describe('what the rules refused without asking the policies', () => {
  test('says so, by its codes', async () => {
    const answer = await explain('4')
    expect(answer).toMatchObject({ entry: { index: 4 }, decision: null, byRules: true })
    expect(policyExplain.failed?.(answer)).toBe(false)
    expect(await page('4')).toMatch(/Denied by the rules.*\n {2}waybill explain \S+/)
  })

  test.each([
    [
      'of a type that there is none of',
      { context: { request: { type: 'banana' } } },
      'schema/enum',
    ],
    ['whose id is a number', { handoff_id: 5 }, 'schema/type'],
    ['that is no JSON', undefined, 'syntax/json'],
  ])('is a policy_decision as well: a document %s', async (_, given, code) => {
    const broken = given && JSON.stringify({ ...JSON.parse(textOf(document)), ...given })
    repository.write('broken.json', broken ?? '{"handoff_id"')
    const { receipt } = await receive.run({ path: 'broken.json' }, repository.app())
    const { artifact, entry } = await explain(receipt.digest, { artifact: true })
    expect(artifact).toMatchObject({
      ...{ decision: 'deny', decision_id: receipt.digest, created_at: entry?.at },
      reason: expect.stringContaining(`refused by the rule (${code})`),
    })
    await expectAccepted(await page(receipt.digest, { artifact: true }))
  })
})

describe('where no decision is recorded', () => {
  test('what is not recorded is not found', async () => {
    const answer = await explain(`${handoff}1`)
    expect(answer).toMatchObject({ entry: null, decision: null, near: [handoff] })
    expect(policyExplain.failed?.(answer)).toBe(true)
    // It may be one of a mission.
    expect(await page(`${handoff}1`)).toContain('waybill mission show <mission> policy_decision')
  })
})

describe('as an artifact', () => {
  test.each([
    ['0', 'allow'],
    ['1', 'deny'],
    ['3', 'deny'],
  ])('entry %s is a policy_decision that the check accepts', async (index, decision) => {
    const { artifact, entry } = await explain(index, { artifact: true })
    expect(artifact).toMatchObject({
      decision,
      mission_id: handoff,
      decision_id: entry?.digest,
      created_at: entry?.at,
      subject: `${PRODUCT} -> ${ANALYSIS}`,
    })
    await expectAccepted(await page(index, { artifact: true }))
  })
})

describe('a handoff that only the policies stand against', () => {
  const sendBy = async (policy: string) => {
    repository.write('policies/a.cedar', `${policy}\n`)
    const { receipt, answer } = await send.run({ path: 'a.json' }, repository.app())
    const decision = (await explain(receipt.digest)).decision
    repository.write('policies/a.cedar', '// none again\n')
    expect(answer).toBe('rejected')
    return decision
  }
  const head = 'forbid (principal, action == Waybill::Action::"handoff", resource)'

  test('is not explained with the denial as a finding of its own', async () => {
    const decision = await sendBy(`@id("f") ${head} when { context.findings == 0 };`)
    expect(decision?.facts).toContainEqual({ name: 'findings', value: 0 })
    expect(decision?.found).toEqual([])
  })

  test('by failing says what the failure asks for', async () => {
    const most = '9223372036854775807'
    const decision = await sendBy(`${head} when { context.findings + ${most} + 1 > 0 };`)
    expect(decision?.facts).toContainEqual({ name: 'findings', value: 0 })
    expect(decision?.would.join()).toContain('fix the named policy')
    expect(decision?.would.join()).not.toContain('policy check shows')
  })
})

test('a decision that was erased is gone', async () => {
  await logErase.run({ digest: '0', by: 'ada', why: 'private' }, repository.app())
  expect(await explain('0')).toMatchObject({ entry: { state: 'erased' }, decision: null })
  expect(await page('0')).toContain('The entry and its decision were erased.')
})

test('a handoff whose newest decision was erased is not explained by the erasure, nor by an older decision', async () => {
  const found = await explain(handoff)
  const newest = found.entry?.index ?? 0
  await logErase.run({ digest: String(newest), by: 'ada', why: 'private' }, repository.app())
  expect(await explain(handoff)).toMatchObject({
    entry: { index: newest, state: 'erased', kind: 'handoff-rejected' },
    decision: null,
  })
  expect(await page(handoff)).toContain('The entry and its decision were erased.')
})
