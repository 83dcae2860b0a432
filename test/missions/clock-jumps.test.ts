import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Clock, canSetServers, openClock, restartByClock } from '../clocks.ts'
import { openDatabase } from '../database.ts'
import { openTestServer, type TestServer } from '../embedded.ts'
import { entriesOf } from '../log-entries.ts'
import { isLong } from '../long.ts'
import {
  expectBriefOnce,
  expectSoundLog,
  taskReaches,
  taskRows,
  withRaw,
} from '../mission-facts.ts'
import {
  HEAD,
  type MissionRepository,
  openMissionRepository,
  type RunningWorker,
  task,
} from '../mission-repository.ts'
import { comesTrue } from '../processes.ts'

const HOUR = 3_600_000
const [machine, database] = [openClock(), openClock()]
let server: TestServer
let repository: MissionRepository
beforeAll(async () => {
  server = openTestServer()
  const { url } = await server.start()
  if (canSetServers) await restartByClock(server, url, database)
  repository = await openMissionRepository('', await openDatabase({ server: url }))
  const again = HEAD.replace(
    'limit: 1, first_ms: 10, longest_ms: 100',
    'limit: 99, first_ms: 2000, longest_ms: 2000',
  )
  for (let i = 0; i < CASES.length; i++)
    repository.write(
      `missions/templates/again-${i}.yaml`,
      `${again}${task('one', 'worker', [], `UNLESS again-${i}.go`)}`,
    )
  repository.write(
    'missions/templates/held.yaml',
    `${HEAD}${task('one', 'worker', [], 'HOLD held.go')}`,
  )
  repository.commit()
})
afterAll(async () => {
  await repository?.remove()
  await server?.remove()
  for (const clock of [machine, database]) clock.remove()
})

/** Two workers, on a machine whose clock is set. */
let workers: readonly RunningWorker[] = []
beforeEach(async () => {
  for (const clock of [machine, database]) clock.set(0)
  const { preload } = machine
  workers = await Promise.all([{ preload }, { preload }].map(one => repository.worker(one)))
})
afterEach(() => Promise.all(workers.map(worker => worker.stop())))

const CASES = [
  ['of the workers', 'forwards', [machine], HOUR],
  ['of the workers', 'backwards', [machine], -HOUR],
  ['of the database', 'forwards', [database], HOUR],
  ['of the database', 'backwards', [database], -HOUR],
  ['of all of them', 'forwards', [machine, database], HOUR],
  ['of all of them', 'backwards', [machine, database], -HOUR],
] as const

const named = CASES.map((one, i) => [...one, i] as const)
const [ofWorkers, ofServers] = [named.slice(0, 2), named.slice(2)]

/** Sets clocks amid missions, one of which is to be tried again in a while. */
async function survives(clocks: readonly Clock[], by: number, i: number): Promise<void> {
  const again = await repository.begin(`again-${i}`)
  const missions: string[] = []
  for (let n = 0; n < 2; n++) missions.push(await repository.begin('brief'))
  const [first = ''] = missions
  await taskReaches(repository, first, 'search', 'done')
  const hasFailed = async () => ((await repository.peek(again)).tasks[0]?.failures ?? 0) > 0
  expect(await comesTrue(hasFailed, 60_000)).toBe(true)
  for (const clock of clocks) clock.set(by)
  repository.write(`again-${i}.go`, '')
  for (const mission of missions)
    await expectBriefOnce(
      repository,
      mission,
      await repository.reaches(mission, 'finished', 'failed'),
    )
  expect((await repository.reaches(again, 'finished', 'failed')).state).toBe('finished')
  await withRaw(repository.database.url, async raw => {
    for (const mission of [...missions, again])
      expect((await taskRows(raw, mission)).filter(({ losses }) => losses > 0)).toEqual([])
    const there = 'select count(*)::integer as n from waybill.workers'
    expect(await raw.rows(undefined, there)).toEqual([{ n: 2 }])
  })
}

test.each(canSetServers && !isLong ? [] : ofWorkers)(
  'when the clock %s goes %s by an hour amid missions, they finish, and no worker is taken for dead',
  (_, __, clocks, by, i) => survives(clocks, by, i),
)

test.skipIf(!canSetServers).each(isLong ? ofServers : ofServers.slice(-2))(
  'when the clock %s goes %s by an hour amid missions, they finish, and no worker is taken for dead',
  (_, __, clocks, by, i) => survives(clocks, by, i),
)

test.skipIf(!canSetServers)(
  'a worker that dies before the clock of the database goes back is found dead, and its task goes on',
  async () => {
    const [first, second] = workers
    await second?.stop()
    const mission = await repository.begin('held')
    await taskReaches(repository, mission, 'one', 'running')
    const other = await repository.worker()
    first?.kill('SIGKILL')
    await first?.ended
    database.set(-HOUR)
    repository.write('held.go', '')
    expect((await repository.reaches(mission, 'finished', 'failed')).state).toBe('finished')
    await other.stop()
  },
)

test('the log tells of the jumps, its time has never gone back, and it is whole', async () => {
  await expectSoundLog(repository)
  const said = (await entriesOf(repository)).map(({ kind, statement: { predicate } }) => ({
    kind,
    ...(predicate as { at: string; by?: number; where?: string }),
  }))
  const times = said.map(({ at }) => Date.parse(at))
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  const jumps = said.flatMap(({ kind, by = 0, where }) =>
    kind === 'clock-jump' && where === 'in-process' ? [Math.round(by / 60_000)] : [],
  )
  expect(jumps).toContain(60)
  expect(jumps).toContain(-60)
})
