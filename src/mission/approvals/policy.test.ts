import { beforeEach, describe, expect, test } from 'vitest'
import { answering, delivering, hook } from '../../../test/delivering.ts'
import { exampleOf, graphOf, type Payload } from '../../../test/mission-payloads.ts'
import { POLICIES, TENANT } from '../../../test/write-backs.ts'
import { entryAt, type Predicates } from '../../governance/index.ts'
import {
  insertArtifact,
  insertOutputs,
  insertRun,
  insertTasks,
  listArtifacts,
  updateRun,
} from '../../store/index.ts'
import { type Deciding, decideProposal, examineProposal } from './decide.ts'
import type { Which } from './proposal.ts'
import { decisionId, recordDecisions } from './record.ts'
import { waiveApprovals } from './waive.ts'

const ADA = { by: 'ada', why: 'I have read it', decision: 'approved' } as const
const forbid = (when: string, words = '@reason("leads are frozen")') =>
  `${words} forbid (principal, action == Waybill::Action::"writeBack", resource) ${when};`
const LET_OUT = { decision_type: 'writeback', subject: 'lead_stage_update' }
const PERMIT = `permit (principal, action == Waybill::Action::"writeBack", resource == Waybill::Resource::"lead_123");`
const FROZEN = forbid('')

const on = delivering()
beforeEach(() => on.there.folder.write(POLICIES, ''))

const decide = (which: Which, more: Partial<Deciding> = {}) =>
  decideProposal(on.there.database.store, on.there.gateway, { ...which, ...ADA, ...more })
const denials = async ({ mission }: Which) =>
  (
    await on.there.database.store.tenant(TENANT, tx =>
      listArtifacts(tx, 'policy_decision', mission),
    )
  )
    .map(({ payload }) => payload)
    .filter(payload => payload?.decision_type === 'writeback_approval')

/** What the log says of a proposal, by kind. */
async function entriesOf(which: Which) {
  const { log } = on.there.gateway
  const found = new Map<string | undefined, Partial<Predicates['writeback-decision']>>()
  for (const index of await log.find(`id:${decisionId(which)}`)) {
    const entry = await entryAt(log, index)
    if (entry.is === 'entry') found.set(entry.kind, entry.statement.predicate)
  }
  return found
}

/** The proposal comes out of a task, whose agent plays a role. */
async function proposedBy(which: Which, agent: string, role = 'reviewer'): Promise<void> {
  const { mission, proposal: id } = which
  const digest = (await on.proposalOf(which)).digest
  const graph = graphOf(mission, { review: [] })
  const tasks = (graph.tasks as Payload[]).map(task => ({ ...task, role_type: role }))
  await on.there.database.store.tenant(TENANT, async tx => {
    await insertArtifact(tx, { ...graph, tasks })
    await insertRun(tx, { mission, template: null, timeBudget: null, tokenBudget: null })
    const retries = { limit: 0, first: 1, longest: 1 }
    await insertTasks(tx, mission, [{ task: 'review', agent, prompt: null, retries }])
    await insertOutputs(tx, mission, 'review', [{ name: 'writeback_proposal', id, digest }])
  })
}

describe('an approval', () => {
  test('is recorded with what the policies said to it', async () => {
    const which = await on.there.propose()
    await decide(which)
    const entry = (await entriesOf(which)).get('writeback-decision')
    expect(entry?.policy).toMatchObject({
      decision: 'allow',
      determining: [{ id: 'waybill/write-back' }],
      set: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(await denials(which)).toEqual([])
  })

  test.each([
    ['forbid it', FROZEN, 'leads are frozen'],
    ['need a look first', forbid('', '@needs("a look by legal")'), 'a look by legal'],
    ['have a fault', 'forbid (nobody);', 'could not decide'],
    [
      'forbid what a person has approved alone',
      forbid('when { !context.approvals.contains("bob") }'),
      'frozen',
    ],
    [
      'forbid its risk',
      forbid('when { context has mission && context.mission.risk == Waybill::Risk::"medium" }'),
      'frozen',
    ],
    [
      'forbid what it changes',
      forbid('when { resource == Waybill::Resource::"lead_123" }'),
      'frozen',
    ],
  ])('is refused where policies %s, and that is stored once', async (_, text, why) => {
    const which = await on.there.propose()
    on.there.folder.write(POLICIES, text)
    for (const _again of [1, 2])
      await expect(decide(which)).rejects.toMatchObject({
        code: 'not-approved',
        message: expect.stringContaining(why),
      })
    expect(await on.proposalOf(which)).toMatchObject({ decision: null, delivery: null })
    expect(await denials(which)).toMatchObject([
      { decision: 'deny', subject: which.proposal, reason: expect.stringContaining(why) },
    ])
    await expect(
      examineProposal(on.there.database.store, on.there.gateway, { ...which, ...ADA }),
    ).rejects.toThrow(why)
  })

  test('is given, and delivered, where policies ask for that of just this person', async () => {
    const text = forbid('unless { context.approvals.contains("ada") }')
    on.there.folder.write(POLICIES, text)
    const which = await on.there.propose()
    await expect(decide(which, { by: 'bob' })).rejects.toThrow('leads are frozen')
    expect((await decide(which)).decision.decision).toBe('approved')
    const { url, received } = await on.listen(answering(200))
    await on.tryAt(which, 1, { writebacks: hook(url) })
    expect(received).toHaveLength(1)
  })

  test('that policies refuse can be a rejection all the same', async () => {
    const which = await on.there.propose()
    on.there.folder.write(POLICIES, FROZEN)
    expect((await decide(which, { decision: 'rejected' })).decision.decision).toBe('rejected')
  })

  test('is refused where it is for one of the agents alone', async () => {
    const other = `@reason("not this one") forbid (principal == Waybill::Agent::"domain-02-analysis", action, resource);`
    on.there.folder.write(POLICIES, other)
    const [mine, another] = [await on.there.propose(), await on.there.propose()]
    await proposedBy(mine, 'domain-02-analysis')
    await proposedBy(another, 'domain-05-product')
    await expect(decide(mine)).rejects.toThrow('not this one')
    expect((await decide(another)).decision.decision).toBe('approved')
  })

  test('of what a worker proposes is refused', async () => {
    const which = await on.there.propose()
    await proposedBy(which, 'domain-05-product', 'worker')
    await expect(decide(which)).rejects.toThrow('a worker never writes back')
  })

  test('of data of a class that no policy knows is refused', async () => {
    const which = await on.there.propose({ envelope: { sensitivity_class: 'odd' } })
    await expect(decide(which)).rejects.toThrow('could not decide')
  })
})

describe('a delivery', () => {
  test('is recorded with what the policies said to it', async () => {
    const which = await on.there.propose()
    const { url } = await on.listen(answering(200))
    await decide(which)
    await on.tryAt(which, 1, { writebacks: hook(url) })
    expect((await on.deliveryOf(which)).state).toBe('delivered')
    const entry = (await entriesOf(which)).get('writeback-outcome')
    expect(entry?.policy).toMatchObject({ decision: 'allow' })
  })

  test('does not happen that policies forbid since it was approved', async () => {
    const which = await on.there.propose()
    await decide(which)
    on.there.folder.write(POLICIES, FROZEN)
    const { url, received } = await on.listen(answering(200))
    await on.tryAt(which, 1, { writebacks: hook(url) })
    expect(received).toEqual([])
    expect(await on.deliveryOf(which)).toMatchObject({
      state: 'failed',
      outcome: { code: 'writeback/denied', message: expect.stringContaining('leads are frozen') },
    })
    expect((await entriesOf(which)).get('writeback-outcome')).toMatchObject({
      outcome: 'failed',
      code: 'writeback/denied',
      policy: { decision: 'deny', determining: [{ id: 'write-backs.cedar#1' }] },
    })
  })

  test('does not happen where its mission was cancelled since', async () => {
    const { url, received } = await on.listen(answering(200))
    const which = await on.there.propose()
    await proposedBy(which, 'domain-05-product')
    await decide(which)
    await on.there.database.store.tenant(TENANT, tx =>
      updateRun(tx, which.mission, { state: 'cancelled' }),
    )
    await on.tryAt(which, 1, { writebacks: hook(url) })
    expect(received).toEqual([])
    expect(await on.deliveryOf(which)).toMatchObject({
      state: 'failed',
      outcome: { code: 'writeback/cancelled' },
    })
  })

  test.each([
    ['goes out', PERMIT, 'delivered'],
    ['does not', '', 'failed'],
  ])('what needed no approval %s, as policies are by then', async (_, policies, state) => {
    const { url, received } = await on.listen(answering(200))
    on.there.folder.write(POLICIES, PERMIT)
    const { store } = on.there.database
    const which = await on.there.propose({
      proposal: { requires_approval: false },
      others: [{ ...exampleOf('policy-decision.v1'), ...LET_OUT }],
    })
    const waived = await store.tenant(TENANT, tx => waiveApprovals(tx, which, on.there.gateway))
    expect(waived).toEqual([which.proposal])
    await recordDecisions(store, TENANT, on.there.gateway)
    on.there.folder.write(POLICIES, policies)
    await on.tryAt(which, 1, { writebacks: hook(url) })
    expect(received).toHaveLength(state === 'delivered' ? 1 : 0)
    expect(await on.deliveryOf(which)).toMatchObject({ state })
  })

  test('does not happen where who has proposed it was put into quarantine since', async () => {
    const { url, received } = await on.listen(answering(200))
    const [which, other] = [await on.there.propose(), await on.there.propose()]
    const agent = 'domain-04-documentation'
    await proposedBy(which, agent)
    await proposedBy(other, 'domain-05-product')
    await decide(which)
    await decide(other)
    await on.there.gateway.record('security-event', {
      subject: [{ name: agent, digest: { sha256: 'ab'.repeat(32) } }],
      ...{ ids: {}, agents: [agent] },
      says: { event: 'hash-mismatch', quarantined: [agent], hashes: [], reason: 'other bytes' },
    })
    await on.tryAt(which, 1, { writebacks: hook(url) })
    expect(received).toEqual([])
    expect((await on.deliveryOf(which)).outcome).toMatchObject({ code: 'writeback/denied' })
    await on.tryAt(other, 1, { writebacks: hook(url) })
    expect(received).toHaveLength(1)
  })

  test('waits where the policies cannot decide, and goes on once they can', async () => {
    const which = await on.there.propose()
    await decide(which)
    on.there.folder.write(POLICIES, 'forbid (nobody);')
    const { url, received } = await on.listen(answering(200))
    await on.tryAt(which, 1, { writebacks: hook(url) })
    expect(received).toEqual([])
    expect(await on.deliveryOf(which)).toMatchObject({
      state: 'pending',
      outcome: { is: 'retried', code: 'writeback/denied' },
    })
    on.there.folder.write(POLICIES, '')
    await on.tryAt(which, 2, { writebacks: hook(url) })
    expect(received).toHaveLength(1)
    expect((await on.deliveryOf(which)).state).toBe('delivered')
  })
})
