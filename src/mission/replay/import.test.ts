import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../../test/database.ts'
import { connectRaw, type Raw } from '../../../test/raw-sql.ts'
import {
  LATER,
  openRecordedMissions,
  type RecordedMission,
  type RecordedMissions,
  TENANT,
} from '../../../test/recorded-mission.ts'
import { insertDecision, readRun } from '../../store/index.ts'
import { pauseMission, resumeMission, retryMission } from '../run/control.ts'
import { exportMission, openBundle } from './bundle.ts'
import { type BundleContent, bundleLines } from './bundle-lines.ts'
import { examineImport, importMission } from './import.ts'
import { replayMission } from './replay.ts'

let missions: RecordedMissions
let there: Database
let raw: Raw
beforeAll(async () => {
  missions = await openRecordedMissions()
  there = await openDatabase()
  raw = await connectRaw(there.url)
})
afterAll(async () => {
  await raw?.end()
  await there?.remove()
  await missions?.remove()
})

async function exported({ mission }: RecordedMission, store = missions.store) {
  const { log } = missions.gateway
  const found = await exportMission(store, { tenant: TENANT, mission }, { now: LATER, log })
  return { root: found.root, bytes: Buffer.from([...found.lines()].join('')) }
}

const take = (bytes: Uint8Array, tenant = TENANT) =>
  importMission(there.store, bytes, { tenant, now: LATER, trust: missions.trust })

/** As a dry run does it. */
const look = (bytes: Uint8Array) =>
  examineImport(bytes, { tenant: TENANT, now: LATER, trust: missions.trust })

/** How many rows of a mission there are, in every table. */
async function rowsOf({ mission }: RecordedMission): Promise<Readonly<Record<string, number>>> {
  const tables = await raw.rows(
    undefined,
    `select table_name from information_schema.columns
      where table_schema = 'waybill' and column_name = 'mission_id' order by 1`,
  )
  const counts: Record<string, number> = {}
  for (const { table_name } of tables) {
    const [row] = await raw.rows(
      TENANT,
      `select count(*)::int as n from waybill.${table_name} where mission_id = $1`,
      [mission],
    )
    counts[String(table_name)] = Number(row?.n)
  }
  return counts
}

type Task = BundleContent['snapshot']['tasks'][number]

async function finishedMission(): Promise<RecordedMission> {
  const one = await missions.begin()
  await one.finish()
  return one
}

describe('a bundle is imported', () => {
  test('as the mission was, and gives the same bundle there', async () => {
    const one = await finishedMission()
    await one.decide('approved')
    await one.deliver()
    const { root, bytes } = await exported(one)
    expect(await take(bytes)).toMatchObject({ accepted: true, isNew: true, differences: [] })
    const which = { tenant: TENANT, mission: one.mission }
    const { log } = missions.gateway
    const replayed = await replayMission(there.store, which, { now: LATER, log })
    expect(replayed).toMatchObject({ root, state: 'finished', differences: [] })
    const again = await exported(one, there.store)
    expect(again.bytes.equals(bytes)).toBe(true)
  })

  test('once: the same again changes nothing', async () => {
    const one = await finishedMission()
    const { bytes } = await exported(one)
    expect((await take(bytes)).isNew).toBe(true)
    const rows = await rowsOf(one)
    expect(rows).toMatchObject({ task_runs: 5, tool_calls: 4, colony_worker_results: 2 })
    expect(await take(bytes)).toMatchObject({ accepted: true, isNew: false })
    expect(await rowsOf(one)).toEqual(rows)
  })

  test('once by two at the same time', async () => {
    const one = await finishedMission()
    const { bytes } = await exported(one)
    const both = await Promise.all([take(bytes), take(bytes)])
    expect(both.map(({ accepted }) => accepted)).toEqual([true, true])
    expect(both.map(({ isNew }) => isNew).sort()).toEqual([false, true])
  })

  test('when it is paused, and continues there once it is resumed', async () => {
    const one = await missions.begin()
    await one.do('search')
    await one.do('count')
    const which = { tenant: TENANT, mission: one.mission }
    await pauseMission(missions.store, which)
    const { bytes, root } = await exported(one)
    expect(await take(bytes)).toMatchObject({ accepted: true, isNew: true })
    const { store } = there
    expect(await replayMission(store, which, { now: LATER })).toMatchObject({ root })
    await resumeMission(store, which)
    await one.elsewhere(store).finish()
    const { log } = missions.gateway
    await missions.gateway.log.covered()
    const replayed = await replayMission(store, which, { now: LATER, log })
    expect(replayed).toMatchObject({ state: 'finished', differences: [] })
    // It is further on than the bundle says.
    await expect(take(bytes)).rejects.toMatchObject({ code: 'conflict' })
  })

  test('when it has failed, and can be tried again there', async () => {
    const one = await missions.begin()
    await one.fail('search')
    const { bytes } = await exported(one)
    expect(await take(bytes)).toMatchObject({ accepted: true })
    const run = await retryMission(there.store, { tenant: TENANT, mission: one.mission })
    expect(run).toMatchObject({ state: 'running', activeTasks: 1 })
  })

  test('with an approval that is on its way out, which is not delivered from there', async () => {
    const one = await finishedMission()
    await one.decide('approved')
    const { bytes } = await exported(one)
    expect(await take(bytes)).toMatchObject({ accepted: true })
    expect(await rowsOf(one)).toMatchObject({ proposal_decisions: 1, writeback_outbox: 0 })
  })
})

describe('nothing is imported', () => {
  const nothing = async (one: RecordedMission) =>
    expect(Object.values(await rowsOf(one)).every(count => count === 0)).toBe(true)

  test.each<[string, () => Promise<RecordedMission>, readonly string[]]>([
    [
      'of a mission that runs',
      async () => {
        const one = await missions.begin()
        await one.do('search')
        return one
      },
      ['bundle/still-running'],
    ],
    [
      'of a paused mission with a task that is being done',
      async () => {
        const one = await missions.begin()
        await one.begin('search')
        await pauseMission(missions.store, { tenant: TENANT, mission: one.mission })
        return one
      },
      ['bundle/still-running'],
    ],
    [
      'of a mission of which something was erased',
      async () => {
        const one = await finishedMission()
        const { mission } = one
        const { artifacts } = await missions.read(mission)
        const { digest = '' } = artifacts.find(({ name }) => name === 'research_artifact') ?? {}
        const by = { by: 'Ada', why: 'asked for' }
        const artifact = 'research_artifact'
        await missions.store.erase({ tenant: TENANT, artifact, mission, digest, ...by })
        return one
      },
      ['bundle/erased'],
    ],
  ])('%s', async (_, make, codes) => {
    const one = await make()
    const { bytes } = await exported(one)
    const { accepted, differences } = await take(bytes)
    expect(accepted).toBe(false)
    expect(differences.map(({ code }) => code)).toEqual(codes)
    expect((await look(bytes)).differences).toEqual(differences)
    await nothing(one)
  })

  test('for another tenant than that of the mission', async () => {
    const one = await finishedMission()
    const { accepted, differences } = await take((await exported(one)).bytes, 'other')
    expect([accepted, ...differences.map(({ code }) => code)]).toEqual([
      false,
      'bundle/other-tenant',
    ])
    await nothing(one)
  })

  test('of a bundle that was changed', async () => {
    const one = await finishedMission()
    const { bytes } = await exported(one)
    const changed = Buffer.from(String(bytes).replace('Lead 123 has', 'Lead 124 has'))
    expect((await take(changed)).differences.map(({ code }) => code)).toEqual([
      'bundle/digest-differs',
    ])
    await nothing(one)
  })

  async function remade(bytes: Buffer, change: (from: BundleContent) => BundleContent) {
    const { content } = await openBundle(bytes, { now: LATER, trust: missions.trust })
    if (!content) throw new Error('it is not accepted')
    return Buffer.from([...bundleLines(change(content))].join(''))
  }

  test('of another mission with the same id', async () => {
    const one = await finishedMission()
    const { bytes } = await exported(one)
    await take(bytes)
    const rows = await rowsOf(one)
    const other = await remade(bytes, from => ({
      ...from,
      snapshot: { ...from.snapshot, run: { ...from.snapshot.run, template: 'another' } },
    }))
    await expect(take(other)).rejects.toMatchObject({ code: 'conflict' })
    expect(await rowsOf(one)).toEqual(rows)
  })

  test('of a mission with a decision that was not recorded yet, which would be recorded here', async () => {
    const one = await finishedMission()
    const { mission } = one
    const { artifacts } = await missions.read(mission)
    const { digest = '', id = '' } =
      artifacts.find(({ name }) => name === 'writeback_proposal') ?? {}
    const decided = { mission, proposal: id, digest, decision: 'approved', by: 'Ada' } as const
    const stated = { standing: 'claimed', why: 'it is right', statement: {} } as const
    const expiresAt = new Date(LATER)
    await missions.store.tenant(TENANT, tx =>
      insertDecision(tx, { ...decided, ...stated, expiresAt }),
    )
    // With a log the import would report that the log lacks it.
    const found = await exportMission(missions.store, { tenant: TENANT, mission }, { now: LATER })
    const bytes = Buffer.from([...found.lines()].join(''))
    const taken = await importMission(there.store, bytes, { tenant: TENANT, now: LATER })
    expect(taken).toMatchObject({
      accepted: false,
      differences: [{ code: 'bundle/still-running', path: '/decisions' }],
    })
    await nothing(one)
  })

  /** The author of an answer is left out where there is none. */
  const withoutNull = ({ answeredBy, ...task }: Task) =>
    answeredBy ? { ...task, answeredBy } : task

  const inTask =
    (change: object) =>
    (from: BundleContent): BundleContent => ({
      ...from,
      snapshot: {
        ...from.snapshot,
        tasks: from.snapshot.tasks.map(task =>
          task.task === 'search' ? withoutNull({ ...task, ...change }) : task,
        ),
      },
    })

  test.each([
    ['another answer than a person has given', { answer: { say: 'something else' } }],
    ['an answer without an author', { answeredBy: null }],
  ])('with %s', async (_, change) => {
    const one = await missions.begin()
    await one.wait('search')
    await one.answer('search', 'Bob')
    await pauseMission(missions.store, { tenant: TENANT, mission: one.mission })
    const { bytes } = await exported(one)
    const { accepted, differences } = await take(await remade(bytes, inTask(change)))
    expect(accepted).toBe(false)
    expect(differences.map(({ code }) => code)).toEqual(['replay/answer-differs'])
    await nothing(one)
    // As it was it goes on there.
    expect(await take(bytes)).toMatchObject({ accepted: true, isNew: true })
  })

  test('of what the database does not take, not even the half of it', async () => {
    const one = await missions.begin()
    await one.wait('search')
    await pauseMission(missions.store, { tenant: TENANT, mission: one.mission })
    const { bytes } = await exported(one)
    const unfit = await remade(bytes, inTask({ token: { text: '\u0000' } }))
    expect((await take(unfit)).differences).toMatchObject([
      {
        code: 'bundle/malformed',
        message: 'the line contains U+0000, which the database cannot store',
      },
    ])
    await nothing(one)
    expect(await there.store.tenant(TENANT, tx => readRun(tx, one.mission))).toBeUndefined()
  })
})
