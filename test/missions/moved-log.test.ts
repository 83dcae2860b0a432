import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { agentsOf, taskReaches, taskRows, withRaw } from '../mission-facts.ts'
import {
  HEAD,
  type MissionRepository,
  openMissionRepository,
  type RunningVerb,
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

/** Moves the log while a worker is stopped. One that had just then something in hand of what others need goes on first. */
async function moveWhileStopped(at: MissionRepository, { child }: RunningVerb): Promise<void> {
  const move = async () => (await at.waybill('log', 'migrate', '--to', 'postgres')).code === 0
  const stopAndMove = async () => {
    // What was recorded is published within a second.
    await setTimeout(2_000)
    child.kill('SIGSTOP')
    const isMoved = await comesTrue(move, 20_000)
    child.kill('SIGCONT')
    return isMoved
  }
  expect(await comesTrue(stopAndMove, 100_000)).toBe(true)
}

test('a worker whose log is moved away gives back what it is at, says why and ends; moved it is while none works', async () => {
  const work = repository.start('work')
  const mission = await repository.begin('while')
  await taskReaches(repository, mission, 'one', 'running')
  const refused = await repository.waybill('log', 'migrate', '--to', 'postgres')
  expect(refused).toMatchObject({ code: 2, out: '' })
  expect(refused.err).toMatch(/^waybill: a worker is at work in the target database\n {2}stop them/)

  // One that has not said for a while that it is there comes back all the same.
  expect(await comesTrue(() => agentsOf(repository).length === 1, 60_000)).toBe(true)
  await moveWhileStopped(repository, work)
  const { code, err } = await work.ran
  expect(code).toBe(2)
  expect(err).toMatch(/^waybill: the log of this installation was moved .*\n {2}set ledger: /m)
  const rows = await withRaw(repository.database.url, raw => taskRows(raw, mission))
  expect(rows.map(({ state, failures }) => [state, failures])).toEqual([
    ['queued', 0],
    ['blocked', 0],
  ])

  const config = readFileSync(join(repository.root, 'waybill.yaml'), 'utf8')
  repository.write('waybill.yaml', `ledger: postgres\n${config}`)
  repository.write('go', '')
  const other = await repository.worker()
  expect((await repository.reaches(mission, 'finished', 'failed')).state).toBe('finished')
  await other.stop()
}, 240_000)

test('a run that finds the log moved away leaves its mission to others', async () => {
  const other = await openMissionRepository()
  try {
    const run = other.start('run', 'slow', '--goal', 'Find out')
    expect(await comesTrue(() => agentsOf(other).length === 1, 60_000)).toBe(true)
    expect((await other.waybill('log', 'migrate', '--to', 'postgres')).code).toBe(2)
    await moveWhileStopped(other, run)
    const { code, out, err } = await run.ran
    expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining('was moved') })
    const [, mission = ''] = /● ([0-9a-f-]{36}) running/.exec(out) ?? []
    expect((await other.peek(mission)).tasks[0]).toMatchObject({ state: 'queued', failures: 0 })
  } finally {
    await other.remove()
  }
}, 240_000)

test('a log without entries is not put into PostgreSQL by hand either while a worker is at work on it', async () => {
  const other = await openMissionRepository()
  const begin = () => other.mission('submit', 'brief', '--goal', 'Find out', '--format', 'json')
  try {
    const work = await other.worker()
    const config = readFileSync(join(other.root, 'waybill.yaml'), 'utf8')
    other.write('waybill.yaml', `ledger: postgres\n${config}`)
    const refused = await begin()
    expect(refused).toMatchObject({ code: 2, out: '' })
    expect(refused.err).toMatch(/^waybill: a worker is at work here, .*\n {2}stop them/)
    expect(existsSync(join(other.root, '.waybill/ledger/sealed'))).toBe(false)

    await work.stop()
    const begun = await begin()
    expect(begun).toMatchObject({ code: 0, err: '' })
    const restarted = await other.worker()
    const { mission } = JSON.parse(begun.out)
    expect((await other.reaches(mission, 'finished', 'failed')).state).toBe('finished')
    // Another clone has files of its own, on which no process works.
    rmSync(join(other.root, '.waybill/ledger'), { recursive: true })
    expect(await begin()).toMatchObject({ code: 0, err: '' })
    await restarted.stop()
  } finally {
    await other.remove()
  }
}, 240_000)

test('a log without entries is not moved either while a worker is at work', async () => {
  const other = await openMissionRepository()
  try {
    const work = await other.worker()
    const refused = await other.waybill('log', 'migrate', '--to', 'postgres')
    expect(refused).toMatchObject({ code: 2, out: '' })
    expect(refused.err).toMatch(
      /^waybill: a worker is at work in the target database\n {2}stop them/,
    )
    expect(existsSync(join(other.root, '.waybill/ledger/sealed'))).toBe(false)
    await work.stop()
    const moved = await other.waybill('log', 'migrate', '--to', 'postgres')
    expect(moved).toMatchObject({ code: 0, err: '' })
    expect(existsSync(join(other.root, '.waybill/ledger/sealed'))).toBe(true)
  } finally {
    await other.remove()
  }
}, 240_000)

test.each([
  ['of the gateway is rotated', ['rotate', 'gateway']],
  ['of an agent is revoked', ['revoke', 'domain-06-technical', '--why', 'lost']],
])(
  'a worker gives back what it is at, says why and ends, when the key %s',
  async (_, args) => {
    const other = await openMissionRepository()
    try {
      other.write('missions/templates/held.yaml', `${HEAD}${task('one', 'worker', [], 'HOLD go')}`)
      other.commit()
      const work = other.start('work')
      const mission = await other.begin('held')
      await taskReaches(other, mission, 'one', 'running')
      expect((await other.waybill('key', ...args)).code).toBe(0)
      other.commit()
      const { code, err } = await work.ran
      expect(code).toBe(2)
      expect(err).toMatch(
        /^waybill: keys in \.waybill\/keys were changed during this run\n {2}.*restart/m,
      )
      expect((await other.peek(mission)).tasks).toMatchObject([{ state: 'queued', failures: 0 }])

      other.write('go', '')
      const restarted = await other.worker()
      expect((await other.reaches(mission, 'finished', 'failed')).state).toBe('finished')
      await restarted.stop()
      expect((await other.waybill('log', 'verify')).code).toBe(0)
    } finally {
      await other.remove()
    }
  },
  240_000,
)
