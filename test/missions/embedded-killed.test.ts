import { afterAll, beforeAll, expect, test } from 'vitest'
import { reviving } from '../../src/operations/database/open.ts'
import { describeEmbedded, stopEmbedded } from '../../src/store/index.ts'
import { openStateFolder } from '../../src/workspace/index.ts'
import {
  HEAD,
  type MissionRepository,
  openMissionRepository,
  type RunningVerb,
  task,
} from '../mission-repository.ts'
import { comesTrue, processesOf, serversOf } from '../processes.ts'

let repository: MissionRepository
beforeAll(async () => {
  repository = await openMissionRepository()
  repository.write('missions/templates/held.yaml', `${HEAD}${task('one', 'worker', [], 'HOLD go')}`)
  repository.commit()
})
afterAll(async () => {
  if (!repository) return
  const { root } = repository
  await stopEmbedded(openStateFolder(root))
  expect(await comesTrue(() => processesOf(root).length === 0)).toBe(true)
  await repository.remove()
})

/** Starts a verb with the embedded database, and follows what it says. */
function startEmbeddedVerb(...args: readonly string[]) {
  const { child, ran }: RunningVerb = repository.startAt('', ...args)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', chunk => {
      output += chunk
    })
  const count = (words: string) => output.split(words).length - 1
  return { child, ran, output: () => output, count }
}

/** Kills the server, and waits until another has been started. */
async function killServer(): Promise<void> {
  const [{ pid } = { pid: 0 }] = serversOf(repository.root)
  expect(pid).toBeGreaterThan(0)
  process.kill(pid, 'SIGKILL')
  const isAnother = () => serversOf(repository.root).some(one => one.pid !== pid)
  expect(await comesTrue(isAnother, 120_000)).toBe(true)
}

test('who runs a mission starts the embedded server again that was killed, and the mission goes on', async () => {
  const run = startEmbeddedVerb('run', 'held', '--goal', 'Find out')
  expect(await comesTrue(() => run.output().includes('one  running'), 120_000)).toBe(true)
  await killServer()
  await killServer()
  repository.write('go', '')
  expect(await run.ran).toMatchObject({ code: 0 })
  expect(run.output()).toContain(' finished')
}, 300_000)

test('a worker that has nothing to do does so as well, and says once that it was away, and once that it is back', async () => {
  const work = startEmbeddedVerb('work')
  expect(await comesTrue(() => work.output().includes('takes tasks'), 120_000)).toBe(true)
  await killServer()
  expect(await comesTrue(() => work.count('the database is back') === 1, 120_000)).toBe(true)
  expect(work.count('worker: ')).toBe(2)
  work.child.kill('SIGINT')
  expect(await work.ran).toMatchObject({ code: 130 })
}, 300_000)

test.each(['work', 'watch'])(
  'mission %s brings another watchdog for one that was killed, which stays when who brought it is killed as well',
  async verb => {
    const mission = verb === 'watch' ? [await submit()] : []
    const { child, ran, output } = startEmbeddedVerb(verb, ...mission)
    // By then no other watchdog is under way that a verb has started.
    expect(await comesTrue(() => output() !== '' && watchdogs().length === 1, 120_000)).toBe(true)
    expect(await comesTrue(isGuarded, 120_000)).toBe(true)
    const killed = watchdogs()
    for (const pid of killed) process.kill(pid, 'SIGKILL')
    const isAnother = () => watchdogs().some(pid => !killed.includes(pid))
    expect(await comesTrue(async () => isAnother() && (await isGuarded()), 120_000)).toBe(true)
    child.kill('SIGKILL')
    await ran
    expect(await isGuarded()).toBe(true)
  },
  300_000,
)

async function submit(): Promise<string> {
  const { ran } = startEmbeddedVerb('submit', 'slow', '--goal', 'Wait', '--format', 'json')
  return JSON.parse((await ran).out).mission
}

const watchdogs = () =>
  processesOf(repository.root).flatMap(({ pid, command }) =>
    /watchdog/.test(command) ? [pid] : [],
  )

/** Whether the server runs, and has a watchdog that holds its lock. */
async function isGuarded(): Promise<boolean> {
  const { running } = await describeEmbedded(openStateFolder(repository.root), { path: '' })
  return running?.isGuarded === true
}

test('a process that holds an address which the server no longer has gets a message, once', async () => {
  const notes: string[] = []
  const app = repository.app({ tell: (line: string) => void notes.push(line) })
  const revive = reviving(app, 'postgres://waybill@127.0.0.1:1/postgres')
  await revive?.()
  await revive?.()
  expect(notes).toEqual([expect.stringContaining('restart this command')])
  expect(serversOf(repository.root)).toHaveLength(1)
})
