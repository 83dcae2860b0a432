import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withRaw } from '../../../test/mission-facts.ts'
import {
  LATER,
  openRecordedMissions,
  type RecordedMission,
  type RecordedMissions,
  TENANT,
} from '../../../test/recorded-mission.ts'
import { keysIn, type ReadEntry } from '../../governance/index.ts'
import { canonicalJson } from '../../ledger/index.ts'
import { type MissionSnapshot, noteDelivery } from '../../store/index.ts'
import { sha256 } from '../../workspace/index.ts'
import { decisionText } from '../approvals/stated.ts'
import { exportMission, openBundle, verifyBundle } from './bundle.ts'
import { bundleLines } from './bundle-lines.ts'
import { evidenceOf } from './evidence.ts'
import { importMission } from './import.ts'
import { replayMission, replaySnapshot } from './replay.ts'

let missions: RecordedMissions
beforeAll(async () => {
  missions = await openRecordedMissions()
})
afterAll(async () => {
  await missions?.remove()
})

async function finished(): Promise<RecordedMission> {
  const one = await missions.begin()
  await one.finish()
  return one
}

async function rejected(): Promise<RecordedMission> {
  const one = await finished()
  await one.decide('rejected')
  return one
}

async function delivered(): Promise<RecordedMission> {
  const one = await finished()
  await one.decide('approved')
  await one.deliver()
  await missions.gateway.log.covered()
  return one
}

const toldOf = (differences: readonly { code: string; path: string }[]) =>
  differences.map(({ code, path }) => `${code} ${path}`)

async function exported({ mission }: RecordedMission) {
  const { store, gateway } = missions
  const options = { now: LATER, log: gateway.log }
  const found = await exportMission(store, { tenant: TENANT, mission }, options)
  return Buffer.from([...found.lines()].join(''))
}

/** The differences of a bundle, with its entries as they are, that was rewritten. */
async function remade(one: RecordedMission, change: (from: MissionSnapshot) => MissionSnapshot) {
  const by = { now: LATER, trust: missions.trust }
  const { content } = await openBundle(await exported(one), by)
  if (!content) throw new Error('it is not accepted')
  const rewritten = bundleLines({ ...content, snapshot: change(content.snapshot) })
  return verifyBundle(Buffer.from([...rewritten].join('')), by)
}

const undecided = (from: MissionSnapshot): MissionSnapshot => ({ ...from, decisions: [] })
const outcome = (change: object | null) => (from: MissionSnapshot) => ({
  ...from,
  decisions: from.decisions.map(one => ({
    ...one,
    outcome: change && one.outcome && { ...one.outcome, ...change },
  })),
})
const MISSING = 'replay/decision-missing /decisions/wb_001'
const DIFFERS = 'replay/decision-differs /decisions/wb_001'

test.each<[string, () => Promise<RecordedMission>, typeof undecided, readonly string[]]>([
  ['nothing', delivered, from => from, []],
  ['a rejection', rejected, undecided, [MISSING]],
  ['an approval and what came of it', delivered, undecided, [MISSING, MISSING]],
  ['what came of an approval', delivered, outcome(null), [MISSING]],
  ['how often something was sent', delivered, outcome({ attempts: 0 }), [DIFFERS]],
  ['that it was sent more than once', delivered, outcome({ attempts: 2 }), []],
])('a bundle without %s', async (_, make, change, expected) => {
  const { differences } = await remade(await make(), change)
  expect(toldOf(differences)).toEqual(expected)
})

test('a proposal that is removed with its rejection is reported, and so is another in its place', async () => {
  const one = await rejected()
  const gone = await remade(one, from => ({
    ...undecided(from),
    artifacts: from.artifacts.filter(({ id }) => id !== 'wb_001'),
    outputs: from.outputs.filter(({ id }) => id !== 'wb_001'),
  }))
  expect(toldOf(gone.differences)).toEqual([MISSING])
  const [first] = gone.differences
  expect(first?.message).toMatch(
    /^entry \d+ says that 'wb_001' was rejected by Ada, but the mission does not contain it$/,
  )
  const changed = await remade(one, from => {
    const { payload } = from.artifacts.find(({ id }) => id === 'wb_001') ?? {}
    const other = { ...payload, target_entity_id: 'lead_666' }
    const digest = sha256(String(canonicalJson(other)))
    return {
      ...undecided(from),
      artifacts: from.artifacts.map(it =>
        it.id === 'wb_001' ? { ...it, payload: other, digest } : it,
      ),
      outputs: from.outputs.map(it => (it.id === 'wb_001' ? { ...it, digest } : it)),
    }
  })
  expect(toldOf(changed.differences)).toEqual([MISSING])
})

test('a decision whose row is gone is reported', async () => {
  const one = await rejected()
  await withRaw(missions.url, ({ client }) =>
    client.query(`set session_replication_role = replica;
      delete from waybill.proposal_decisions where mission_id = '${one.mission}'`),
  )
  const { gateway, store } = missions
  const which = { tenant: TENANT, mission: one.mission }
  const replayed = await replayMission(store, which, { now: LATER, log: gateway.log })
  expect(toldOf(replayed.differences)).toEqual([MISSING])
  const { differences } = await verifyBundle(await exported(one), { now: LATER })
  expect(toldOf(differences)).toEqual([MISSING])
})

test('a decision that is gone is reported where its entry was erased, and where it was changed', async () => {
  const one = await rejected()
  const snapshot = undecided(await missions.read(one.mission))
  const log = evidenceOf(missions.gateway.log)
  const replayed = async (other: (entry: ReadEntry) => object) => {
    const find = async (key: string) =>
      (await log.find(key)).map(({ index, entry }) => {
        const isIt = entry.is === 'entry' && entry.kind === 'writeback-decision'
        return { index, entry: isIt ? (other(entry) as ReadEntry) : entry }
      })
    const given = { tenant: TENANT, now: LATER, evidence: { ...log, find } }
    return (await replaySnapshot(snapshot, given)).differences
  }
  const erased = await replayed(entry => ({
    ...{ is: 'erased', digest: '' },
    tombstone: { keys: entry.is === 'entry' && keysIn(entry) },
  }))
  expect(toldOf(erased)).toEqual([MISSING])
  expect(erased[0]?.message).toContain('was the decision on')
  const changed = await replayed(() => ({ is: 'differs' }))
  expect(changed.map(({ code }) => code)).toEqual(['replay/entry-tampered'])
})

test.each<[string, string, readonly string[]]>([
  ['is set back', "state = 'pending', attempts = 0, outcome = null, ended_at = null", [MISSING]],
  ['is set back, and says what came of it', "state = 'pending'", [MISSING]],
  ['was not noted as over by a worker that died', "state = 'pending', ended_at = null", []],
])('a delivery that %s', async (_, set, expected) => {
  const one = await delivered()
  await withRaw(missions.url, ({ client }) =>
    client.query(`update waybill.writeback_outbox set ${set} where mission_id = '${one.mission}'`),
  )
  const { gateway, store, trust } = missions
  const which = { tenant: TENANT, mission: one.mission }
  const replayed = await replayMission(store, which, { now: LATER, log: gateway.log })
  expect(toldOf(replayed.differences)).toEqual(expected)
  const bytes = await exported(one)
  const { differences } = await verifyBundle(bytes, { now: LATER, trust })
  expect(toldOf(differences)).toEqual(expected)
  if (expected.length > 0) return
  // Its next owner would have to deliver it again and again.
  const imported = await importMission(store, bytes, { ...which, now: LATER, trust })
  expect(toldOf(imported.differences)).toEqual(['bundle/still-running /decisions'])
})

describe('nothing is wrong with a mission', () => {
  const sound = async (one: RecordedMission, snapshot: MissionSnapshot, known?: number) => {
    const evidence = evidenceOf(missions.gateway.log, known)
    const given = { tenant: TENANT, now: LATER, evidence }
    expect((await replaySnapshot(snapshot, given)).differences).toEqual([])
    const bytes = await exported(one)
    const verified = await verifyBundle(bytes, { now: LATER, trust: missions.trust })
    expect(verified.differences).toEqual([])
  }

  test('on whose proposal something is decided after it was read', async () => {
    const one = await finished()
    const { log } = missions.gateway
    const known = await log.size()
    const before = await missions.read(one.mission)
    await one.decide('rejected')
    await sound(one, before, known)
  })

  test('of which it is known what came of a delivery, and not recorded yet', async () => {
    const one = await finished()
    await one.decide('approved')
    const { store } = missions
    const which = { mission: one.mission, proposal: 'wb_001', attempt: 0 }
    const known = { is: 'failed', code: 'writeback/erased', message: 'gone', failures: 1 } as const
    expect(await store.tenant(TENANT, tx => noteDelivery(tx, which, { outcome: known }))).toBe(true)
    const snapshot = await missions.read(one.mission)
    expect(snapshot.decisions).toMatchObject([{ outcome: { state: 'pending' } }])
    await sound(one, snapshot)
  })

  test('whose id another tenant has as well, with other decisions', async () => {
    const one = await finished()
    const { gateway } = missions
    const snapshot = await missions.read(one.mission)
    const [proposal] = snapshot.artifacts.filter(({ id }) => id === 'wb_001')
    const at = gateway.time()
    const said = {
      ...{ mission: one.mission, proposal: 'wb_001', digest: proposal?.digest ?? '' },
      ...{ tenant: 'other', by: 'Eve', why: 'no', expiresAt: null },
      decision: 'rejected' as const,
    }
    const stated = decisionText({ ...said, origin: gateway.origin, at })
    await gateway.record('writeback-decision', {
      subject: [{ name: 'writeback-proposal', digest: { sha256: said.digest } }],
      ids: { mission: one.mission, decision: 'f'.repeat(64), artifacts: ['wb_001'] },
      agents: [],
      says: { ...said, standing: 'claimed', stated, expires: null } as never,
    })
    await gateway.log.covered()
    await sound(one, snapshot)
  })
})
