import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import missionRun from '../../src/operations/mission-run.ts'
import { agentsOf, expectSoundLog, taskReaches, taskRows, withRaw } from '../mission-facts.ts'
import { HEAD, type MissionRepository, openMissionRepository, task } from '../mission-repository.ts'
import { comesTrue } from '../processes.ts'

let repository: MissionRepository
beforeAll(async () => {
  repository = await openMissionRepository()
  for (const name of ['first', 'second'])
    repository.write(
      `missions/templates/${name}.yaml`,
      `${HEAD}${task('one', 'worker', [], `HOLD ${name}.go`)}${task('two', 'worker', [], `HOLD ${name}.go`)}${task('three', 'worker', ['one', 'two'])}`,
    )
  repository.commit()
})
afterAll(() => repository?.remove())

const isAgentThere = (count: number) =>
  comesTrue(() => agentsOf(repository).length === count, 60_000)

/** Expects that no worker has the first tasks of a mission, and that none had to find out why. */
async function expectGivenBack(mission: string): Promise<void> {
  expect(agentsOf(repository)).toEqual([])
  await withRaw(repository.database.url, async raw => {
    const rows = await taskRows(raw, mission)
    expect(
      rows.map(({ state, attempt, losses, failures }) => [state, attempt, losses, failures]),
    ).toEqual([
      ['queued', 2, 0, 0],
      ['queued', 2, 0, 0],
      ['blocked', 0, 0, 0],
    ])
    expect(await raw.rows(undefined, 'select * from waybill.workers')).toEqual([])
    const begun = "select workflow_uuid from dbos.workflow_status where status = 'PENDING'"
    expect(await raw.rows(undefined, begun)).toEqual([])
  })
}

test.each(['SIGTERM', 'SIGINT'] as const)(
  'a worker that %s asks to leave gives back what it does, and another continues at once',
  async signal => {
    const name = signal === 'SIGTERM' ? 'first' : 'second'
    const work = repository.start('work')
    const mission = await repository.begin(name)
    await taskReaches(repository, mission, 'one', 'running')
    await taskReaches(repository, mission, 'two', 'running')
    expect(await isAgentThere(2)).toBe(true)
    work.child.kill(signal)
    const { code, err } = await work.ran
    expect({ code, err }).toEqual({ code: signal === 'SIGTERM' ? 143 : 130, err: '' })
    await expectGivenBack(mission)
    writeFileSync(join(repository.root, `${name}.go`), '')
    const other = await repository.worker()
    const status = await repository.reaches(mission, 'finished', 'failed')
    await other.stop()
    expect(status.state).toBe('finished')
    expect(status.artifacts).toHaveLength(3)
  },
)

const STAYS = 'the mission is still running: waybill mission work continues it\n'

test('a run that is interrupted leaves its mission to the next worker', async () => {
  repository.write(
    'missions/templates/third.yaml',
    `${HEAD}${task('one', 'worker', [], 'HOLD third.go')}${task('two', 'worker', [], 'HOLD third.go')}${task('three', 'worker', ['one', 'two'])}`,
  )
  const run = repository.start('run', 'third', '--goal', 'Find out')
  expect(await isAgentThere(2)).toBe(true)
  run.child.kill('SIGINT')
  const { code, out, err } = await run.ran
  expect({ code, err }).toEqual({ code: 130, err: STAYS })
  const [mission = ''] = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(out) ?? []
  await expectGivenBack(mission)
  writeFileSync(join(repository.root, 'third.go'), '')
  await repository.worker()
  const status = await repository.reaches(mission, 'finished', 'failed')
  expect(status.state).toBe('finished')
  expect(status.artifacts).toHaveLength(3)
  await expectSoundLog(repository)
})

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)(
  'a run whose result is wanted as JSON tells how far it came and that %s ended it',
  async (signal, expected) => {
    // The agent of the mission before takes a moment to end.
    expect(await isAgentThere(0)).toBe(true)
    const run = repository.start('run', 'slow', '--goal', 'Find out', '--format', 'json')
    expect(await isAgentThere(1)).toBe(true)
    run.child.kill(signal)
    const { code, out, err } = await run.ran
    expect({ code, err }).toEqual({ code: expected, err: STAYS })
    const { mission, faults, status } = JSON.parse(out)
    expect({ faults, state: status.state }).toEqual({ faults: [], state: 'running' })
    expect((await repository.mission('cancel', mission)).code).toBe(0)
  },
)

test('a run that is interrupted before its worker has begun tells the mission that it leaves', async () => {
  const count = async () =>
    withRaw(repository.database.url, async raw => {
      const rows = await raw.rows(undefined, 'select mission_id from waybill.mission_runs')
      return rows.length
    })
  const before = await count()
  const leaving = new AbortController()
  const app = { ...repository.missionApp(), signal: leaving.signal }
  const run = missionRun.run({ template: 'slow', goal: 'Find out' }, app)
  await comesTrue(async () => (await count()) > before, 60_000)
  leaving.abort()
  const { mission, status } = await run
  expect(status).toMatchObject({ mission, state: 'running' })
  expect(mission).not.toBeNull()
})

test('and before it has begun one, nothing is stored', async () => {
  const app = { ...repository.missionApp(), signal: AbortSignal.abort() }
  const run = await missionRun.run({ template: 'slow', goal: 'Nothing of this' }, app)
  expect(run).toEqual({ mission: null, faults: [], status: null })
  const { out } = await repository.mission('list')
  expect(out).not.toContain('Nothing of this')
})

test('a worker that cannot begin says why, ends, and leaves nothing that others would wait for', async () => {
  const { url } = repository.database
  await withRaw(url, raw =>
    raw.client.query(
      `create function dbos.closed() returns trigger language plpgsql as
         $$ begin raise exception 'the queue is closed'; end $$;
       create trigger closed before insert or update on dbos.application_versions
         for each statement execute function dbos.closed()`,
    ),
  )
  const work = repository.start('work')
  const { code, err } = await work.ran
  await withRaw(url, async raw => {
    await raw.client.query(
      'drop trigger closed on dbos.application_versions; drop function dbos.closed',
    )
    // Others may have left theirs behind before.
    const own = 'select * from waybill.workers where pid = $1'
    expect(await raw.rows(undefined, own, [work.child.pid])).toEqual([])
  })
  expect(err).toContain('the queue is closed')
  expect(code).not.toBe(0)
})
