import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../../test/database.ts'
import { type MissionRepository, openMissionRepository } from '../../../test/mission-repository.ts'
import {
  auditTrustOf,
  fileStorage,
  openKeys,
  openLogReader,
  readTrust,
} from '../../governance/index.ts'
import { loadConfig } from '../../workspace/index.ts'
import { exportMission, verifyBundle } from './bundle.ts'
import { importMission } from './import.ts'
import { replayMission } from './replay.ts'

/** The tenant of those who name none. */
const tenant = 'default'
const HOUR = 3_600_000
let repository: MissionRepository
let mission: string
beforeAll(async () => {
  repository = await openMissionRepository()
  const worker = await repository.worker()
  mission = await repository.submit('brief')
  await repository.reaches(mission, 'finished', 'failed')
  await worker.stop()
}, 300_000)
afterAll(async () => {
  await repository?.remove()
})

async function openLog() {
  const { root } = repository
  const trust = readTrust(await loadConfig(root))
  const { origin = '' } = openKeys(root, trust)
  const log = await openLogReader(fileStorage(root), { origin, trust })
  return { log, trust: auditTrustOf(trust, origin) }
}

test('a mission that ran is as its artifacts and the log lead to, wherever it is taken', async () => {
  const { store } = repository.database
  const { log, trust } = await openLog()
  const now = Date.now()
  const replayed = await replayMission(store, { tenant, mission }, { now, log })
  expect(replayed.differences).toEqual([])
  expect(replayed).toMatchObject({ state: 'finished', tasks: 5, log: true, erased: [] })
  const exported = await exportMission(store, { tenant, mission }, { now, log })
  const bytes = Buffer.from([...exported.lines()].join(''))
  const verified = await verifyBundle(bytes, { now, trust, root: replayed.root })
  expect(verified).toMatchObject({ differences: [], accepted: true, evidence: 'verified' })
  expect(verified.entries).toBeGreaterThanOrEqual(10)
  const other = await openDatabase()
  try {
    const imported = await importMission(other.store, bytes, { tenant, now, trust })
    expect(imported).toMatchObject({ accepted: true, isNew: true, differences: [] })
    const there = await replayMission(other.store, { tenant, mission }, { now })
    expect(there).toEqual({ ...replayed, log: false })
  } finally {
    await other.remove()
  }
})

test('nothing of a mission lies in the future by a clock that was ahead and is right again', async () => {
  const { store } = repository.database
  const { log } = await openLog()
  const replayed = await replayMission(store, { tenant, mission }, { now: Date.now() - HOUR, log })
  expect(replayed.differences).toEqual([])
})
