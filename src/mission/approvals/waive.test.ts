import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exampleOf, type Payload } from '../../../test/mission-payloads.ts'
import { openWriteBacks, TENANT, type WriteBacks } from '../../../test/write-backs.ts'
import { entryAt } from '../../governance/index.ts'
import { listArtifacts, readProposal } from '../../store/index.ts'
import { decideProposal } from './decide.ts'
import { decisionId, recordDecisions } from './record.ts'
import { isReserved } from './reserved.ts'
import { waiveApprovals } from './waive.ts'

const PERMIT = `@reason("leads may be changed")
permit (principal, action == Waybill::Action::"writeBack", resource == Waybill::Resource::"lead_123");`
const WAIVED = { requires_approval: false }

/** A decision on write-backs of the example. */
function policy(more: Payload = {}): Payload {
  const subject = { decision_type: 'writeback', subject: 'lead_stage_update' }
  return { ...exampleOf('policy-decision.v1'), ...subject, ...more }
}

const DENIAL = policy({ decision_id: 'no', decision: 'deny' })

describe.each([
  ['files', 'file'],
  ['the same database', 'postgres'],
])('where the log is in %s', (_, ledger) => {
  let there: WriteBacks
  beforeAll(async () => {
    there = await openWriteBacks({ ledger, people: 'proved', policies: PERMIT })
  })
  afterAll(() => there?.remove())

  const waive = (which: { tenant: string; mission: string }) =>
    there.database.store.tenant(TENANT, tx => waiveApprovals(tx, which, there.gateway))

  test('what a policy lets out goes without a person, recorded as such', async () => {
    const which = await there.propose({ proposal: WAIVED, others: [policy()] })
    expect(await waive(which)).toEqual(['wb_001'])
    await recordDecisions(there.database.store, TENANT, there.gateway)
    const { store } = there.database
    const found = await store.tenant(TENANT, tx => readProposal(tx, which))
    expect(found).toMatchObject({
      decision: { decision: 'approved', standing: 'policy', by: 'policy decision pol_001' },
      delivery: { state: 'pending' },
    })
    const { log } = there.gateway
    const [index = -1] = await log.find(`id:${decisionId(which)}`)
    expect(await entryAt(log, index)).toMatchObject({
      kind: 'writeback-decision',
      digest: found?.decision?.entry,
      statement: { predicate: { standing: 'policy', by: 'policy decision pol_001' } },
    })
    expect(await waive(which)).toEqual([])
    await expect(
      decideProposal(store, there.gateway, {
        ...{ ...which, by: 'ada', why: 'late', decision: 'rejected', keyFile: there.key },
      }),
    ).rejects.toThrow('was approved by policy decision pol_001 at')
  })

  test.each<[string, Parameters<WriteBacks['propose']>[0]]>([
    ['no policy says anything', {}],
    ['a policy denies it', { others: [policy(), policy({ decision_id: 'no', decision: 'deny' })] }],
    ['a policy allows something else', { others: [policy({ subject: 'lead_removal' })] }],
    [
      'a policy allows another sort of thing',
      { others: [policy({ decision_type: 'tool_scope' })] },
    ],
    ['its producer has allowed it', { others: [policy({ producer: 'reviewer_agent' })] }],
    ['the review rejects it', { others: [policy()], review: 'rejected' }],
    [
      'no policy in Cedar permits it',
      { others: [policy()], proposal: { ...WAIVED, target_entity_id: 'lead_124' } },
    ],
    ['there is no review', { others: [policy()], review: null }],
    ['it asks for approval', { others: [policy()], proposal: { requires_approval: true } }],
  ])('where %s it waits for a person', async (_, proposed) => {
    const which = await there.propose({ proposal: WAIVED, ...proposed })
    expect(await waive(which)).toEqual([])
    const found = await there.database.store.tenant(TENANT, tx => readProposal(tx, which))
    expect(found).toMatchObject({ decision: null, delivery: null })
  })

  test('what is another than was proposed waits for a person', async () => {
    const which = await there.propose({ proposal: WAIVED, others: [policy()] })
    // Only the owner of the database can do that.
    const change = `set local session_replication_role = replica;
      update waybill.colony_writeback_proposals set payload = payload || '{"payload": {}}'
      where mission_id = '${which.mission}'`
    await there.owner.rows(TENANT, change)
    expect(await waive(which)).toEqual([])
  })

  test.each<[string, 'policy_decision' | 'review_packet', readonly Payload[]]>([
    ['a policy decision was erased, which may have denied it', 'policy_decision', [DENIAL]],
    ['its review was erased', 'review_packet', []],
  ])('where %s it waits for a person', async (_, name, others) => {
    const which = await there.propose({ proposal: WAIVED, others: [policy(), ...others] })
    const { store } = there.database
    const stored = await store.tenant(TENANT, tx => listArtifacts(tx, name, which.mission))
    const { digest = '' } = stored.find(({ id }) => id !== 'pol_001') ?? {}
    const erasure = { tenant: TENANT, mission: which.mission, by: 'ada', why: 'a name' }
    expect(await store.erase({ ...erasure, artifact: name, digest })).toBe(true)
    expect(await waive(which)).toEqual([])
    const found = await store.tenant(TENANT, tx => readProposal(tx, which))
    expect(found).toMatchObject({ decision: null, delivery: null })
  })
})

test.each([
  ['waybill:writeback:wb_001', true],
  ['waybill:', true],
  ['waybill', false],
  ['task_worker_01', false],
  ['my-waybill:x', false],
])('the name %s is kept: %s', (name, kept) => {
  expect(isReserved(name)).toBe(kept)
})
