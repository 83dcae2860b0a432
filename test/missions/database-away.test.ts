import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../database.ts'
import { openTestServer, type TestServer } from '../embedded.ts'
import { expectBriefOnce, expectSoundLog, taskRows, withRaw } from '../mission-facts.ts'
import { type MissionRepository, openMissionRepository } from '../mission-repository.ts'
import { comesTrue, serversOf } from '../processes.ts'

let server: TestServer
let repository: MissionRepository
beforeAll(async () => {
  server = openTestServer()
  const { url } = await server.start()
  repository = await openMissionRepository('', await openDatabase({ server: url }))
  await repository.worker()
  await repository.worker()
})
afterAll(async () => {
  await repository?.remove()
  await server?.remove()
})

/** For how long the database is away, in milliseconds. */
const AWAY = 10_000

const stopped = async () => {
  await server.stop()
  await pause(AWAY)
  await server.start()
}

const killed = async () => {
  const [postmaster] = serversOf(server.root)
  if (postmaster) process.kill(postmaster.pid, 'SIGKILL')
  await comesTrue(() => serversOf(server.root).length === 0)
  await pause(AWAY)
  await server.start()
}

const cutOff = () =>
  withRaw(repository.database.url, async ({ client }) => {
    for (let i = 0; i < 12; i++) {
      await client.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()',
      )
      await pause(150)
    }
  })

test.each([
  ['is stopped for ten seconds', stopped],
  ['is killed, and is there again after ten seconds', killed],
  ['ends all connections, again and again', cutOff],
])(
  'when the database %s amid missions, they finish, and no worker is taken for dead',
  async (_, strike) => {
    const missions: string[] = []
    for (let i = 0; i < 4; i++) missions.push(await repository.begin('brief'))
    const [first = ''] = missions
    const isUnderWay = async () => {
      const { tasks } = await repository.peek(first)
      return tasks.some(({ state }) => state === 'done' || state === 'running')
    }
    expect(await comesTrue(isUnderWay, 60_000)).toBe(true)
    await strike()
    const statuses = []
    for (const mission of missions)
      statuses.push(await repository.reaches(mission, 'finished', 'failed'))
    for (const [i, status] of statuses.entries())
      await expectBriefOnce(repository, missions[i] ?? '', status)
    await withRaw(repository.database.url, async raw => {
      const rows = []
      for (const mission of missions) rows.push(...(await taskRows(raw, mission)))
      expect(rows.filter(({ losses, failures }) => losses + failures > 0)).toEqual([])
      const workers = 'select count(*)::integer as n from waybill.workers'
      expect(await raw.rows(undefined, workers)).toEqual([{ n: 2 }])
    })
  },
  300_000,
)

test('the tasks of a worker that dies just before the database restarts continue elsewhere, and no other is taken for dead', async () => {
  const doomed = await repository.worker({ killedAt: 'run', concurrency: 1 })
  let isDead = false
  void doomed.ended.then(() => {
    isDead = true
  })
  const missions: string[] = []
  // The others may be quicker.
  while (!isDead && missions.length < 40) missions.push(await repository.begin('brief'))
  await doomed.ended
  await server.stop()
  await server.start()
  await withRaw(repository.database.url, async raw => {
    const rows = []
    for (const mission of missions) {
      await expectBriefOnce(repository, mission, await repository.reaches(mission, 'finished'))
      rows.push(...(await taskRows(raw, mission)))
    }
    expect(rows.filter(({ losses }) => losses > 0)).toMatchObject([{ losses: 1, failures: 0 }])
    const workers = 'select pid from waybill.workers'
    const isForgotten = async () => {
      const pids = (await raw.rows('default', workers)).map(({ pid }) => pid)
      return pids.length === 2 && !pids.includes(doomed.pid)
    }
    expect(await comesTrue(isForgotten, 60_000)).toBe(true)
  })
}, 300_000)

test('and the log is whole', async () => {
  await expectSoundLog(repository)
})
