import { afterAll, beforeAll, expect, test } from 'vitest'
import { graphOf } from '../../../test/mission-payloads.ts'
import { openWriteBacks, TENANT, type WriteBacks } from '../../../test/write-backs.ts'
import {
  insertArtifact,
  insertOutputs,
  insertRun,
  insertTasks,
  listArtifacts,
  readProposal,
  updateRun,
} from '../../store/index.ts'
import { type Deciding, decideProposal } from './decide.ts'
import type { Which } from './proposal.ts'

const ADA = { by: 'ada', why: 'I have read it', decision: 'approved' } as const

let there: WriteBacks
beforeAll(async () => {
  there = await openWriteBacks()
})
afterAll(() => there?.remove())

const decide = (which: Which, more: Partial<Deciding> = {}) =>
  decideProposal(there.database.store, there.gateway, { ...which, ...ADA, ...more })
const stored = (which: Which) => there.database.store.tenant(TENANT, tx => readProposal(tx, which))

test('a proposal other than the one that was shown is not decided on', async () => {
  const which = await there.propose()
  await expect(decide(which, { shown: 'ab'.repeat(32) })).rejects.toMatchObject({
    code: 'not-approved',
    message: 'the proposal is not the one you were shown',
  })
  expect((await stored(which))?.decision).toBeNull()
})

test.each([
  ['producer', 'reviewer_agent', 'produced it'],
  ['producer, spelled otherwise', 'Reviewer Agent', 'produced it'],
  ['producer, by letters that look alike', 'revi\u0435wer_agent', 'produced it'],
])('the %s does not decide on it', async (_, by, why) => {
  const which = await there.propose()
  for (const decision of ['approved', 'rejected'] as const)
    await expect(decide(which, { by, decision })).rejects.toMatchObject({
      code: 'not-approved',
      message: expect.stringContaining(why),
    })
  expect((await stored(which))?.decision).toBeNull()
})

test('the agent whose task it came from does not decide on it, whatever it calls itself there', async () => {
  const which = await there.propose()
  await run(there, which, 'domain-02-analysis')
  expect((await stored(which))?.agents).toEqual(['domain-02-analysis'])
  await expect(decide(which, { by: 'Domain-02 Analysis' })).rejects.toThrow('produced it')
  expect((await decide(which)).decision.by).toBe('ada')
})

test('of a mission that was cancelled nothing is approved', async () => {
  const which = await there.propose()
  await run(there, which, 'domain-02-analysis')
  await there.database.store.tenant(TENANT, tx =>
    updateRun(tx, which.mission, { state: 'cancelled' }),
  )
  await expect(decide(which)).rejects.toThrow('the mission was cancelled')
  expect((await decide(which, { decision: 'rejected' })).decision.decision).toBe('rejected')
})

test.each([
  ['rejects it', 'rejected', 'says rejected'],
  ['asks for changes', 'changes_required', 'says changes_required'],
  ['is not there', null, 'has not been reviewed'],
])('where the review %s nothing is approved', async (_, review, why) => {
  const which = await there.propose({ review })
  await expect(decide(which)).rejects.toMatchObject({
    code: 'not-approved',
    message: expect.stringContaining(why),
  })
  expect((await stored(which))?.decision).toBeNull()
})

test('where the review was erased nothing is approved', async () => {
  const which = await there.propose()
  const { store } = there.database
  const [review] = await store.tenant(TENANT, tx =>
    listArtifacts(tx, 'review_packet', which.mission),
  )
  await store.erase({
    ...{ tenant: TENANT, artifact: 'review_packet', mission: which.mission },
    ...{ digest: review?.digest ?? '', by: 'ada', why: 'a name' },
  })
  await expect(decide(which)).rejects.toMatchObject({
    code: 'not-approved',
    message: expect.stringContaining("its review 'rev_001' was erased"),
  })
  expect((await stored(which))?.decision).toBeNull()
})

test('another tenant has no such proposal', async () => {
  const which = await there.propose()
  await expect(decide({ ...which, tenant: 'other' })).rejects.toMatchObject({ code: 'not-found' })
  expect((await stored(which))?.decision).toBeNull()
})

test('what was erased cannot be decided on', async () => {
  const which = await there.propose()
  const found = await stored(which)
  await there.database.store.erase({
    ...{ tenant: TENANT, artifact: 'writeback_proposal', mission: which.mission },
    ...{ digest: found?.digest ?? '', by: 'ada', why: 'a name' },
  })
  for (const decision of ['approved', 'rejected'] as const)
    await expect(decide(which, { decision })).rejects.toThrow('was erased')
})

test.each([
  ['no reason', { why: ' ' }],
  ['no name', { by: '' }],
  ['a credential for a reason', { why: `see ghp_${'a'.repeat(36)}` }],
  ['a life without end', { life: Number.POSITIVE_INFINITY }],
  ['a life of more than thirty days', { life: 30 * 86_400_000 + 1 }],
  ['a life of less than a second', { life: 999 }],
  ['half a character', { why: '\ud800' }],
])('with %s nothing is decided', async (_, more) => {
  const which = await there.propose()
  await expect(decide(which, more)).rejects.toMatchObject({ code: 'usage' })
  expect((await stored(which))?.decision).toBeNull()
})

/** Makes the mission one that ran, with a task of an agent that the proposal came from. */
async function run({ database }: WriteBacks, { mission, proposal }: Which, agent: string) {
  await database.store.tenant(TENANT, async tx => {
    const found = await readProposal(tx, { mission, proposal })
    await insertArtifact(tx, graphOf(mission, { review: [] }))
    await insertRun(tx, { mission, template: null, timeBudget: null, tokenBudget: null })
    const retries = { limit: 0, first: 1, longest: 1 }
    await insertTasks(tx, mission, [{ task: 'review', agent, prompt: null, retries }])
    const digest = found?.digest ?? ''
    await insertOutputs(tx, mission, 'review', [
      { name: 'writeback_proposal', id: proposal, digest },
    ])
  })
}
