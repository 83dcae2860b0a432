import { afterAll, beforeAll, expect, test } from 'vitest'
import { outputsOf, taskRows, withRaw } from '../mission-facts.ts'
import {
  HEAD,
  type MissionRepository,
  openMissionRepository,
  type Status,
  task,
} from '../mission-repository.ts'
import { comesTrue } from '../processes.ts'

let repository: MissionRepository
beforeAll(async () => {
  repository = await openMissionRepository()
  repository.write(
    'missions/templates/while.yaml',
    `${HEAD}${task('one', 'worker', [], 'HOLD go')}${task('two', 'worker', ['one'])}`,
  )
  repository.commit()
})
afterAll(() => repository?.remove())

/** Which attempts the results of a mission are of. */
async function attemptsOf(mission: string, status: Status): Promise<readonly unknown[]> {
  const outputs = await outputsOf(repository, mission, status)
  const results = outputs.map(({ payload }) => payload?.structured_output as { attempt: number })
  return results.map(({ attempt }) => attempt)
}

test('what a worker returns that was stopped for longer than its lease is refused, and it goes on with other work', async () => {
  const sleeper = await repository.worker()
  const mission = await repository.begin('while')
  const isRunning = async () => (await repository.peek(mission)).tasks[0]?.state === 'running'
  expect(await comesTrue(isRunning, 60_000)).toBe(true)
  sleeper.kill('SIGSTOP')
  const other = await repository.worker()
  const isTaken = async () => ((await repository.peek(mission)).tasks[0]?.attempt ?? 0) > 1
  expect(await comesTrue(isTaken, 60_000)).toBe(true)
  // Both agents answer; what the first one says waits in the pipe.
  repository.write('go', '')
  await repository.reaches(mission, 'finished')
  sleeper.kill('SIGCONT')
  await other.stop()
  const next = await repository.begin('while')
  expect((await repository.reaches(next, 'finished')).tasks.map(({ attempt }) => attempt)).toEqual([
    1, 1,
  ])
  const status = await repository.peek(mission)
  expect(await attemptsOf(mission, status)).toEqual([2, 1])
  expect(status.artifacts.map(({ schemaName }) => schemaName)).toEqual([
    'worker_result',
    'worker_result',
  ])
  await withRaw(repository.database.url, async raw => {
    const rows = await taskRows(raw, mission)
    expect(rows.map(({ losses, failures }) => [losses, failures])).toEqual([
      [1, 0],
      [0, 0],
    ])
    const results = 'select count(*)::integer as n from waybill.colony_worker_results'
    expect(await raw.rows('default', results)).toEqual([{ n: 4 }])
  })
  await sleeper.stop()
})
