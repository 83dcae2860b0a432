import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openDatabase } from '../database.ts'
import { openTestServer, type TestServer } from '../embedded.ts'
import { agentsOf, taskReaches } from '../mission-facts.ts'
import { HEAD, type MissionRepository, openMissionRepository, task } from '../mission-repository.ts'
import { comesTrue, processesOf, serversOf } from '../processes.ts'
import { PROGRAM } from '../program.ts'
import { openRelay } from '../relay.ts'
import { Screen } from '../screen.ts'

let server: TestServer
let repository: MissionRepository
beforeAll(async () => {
  server = openTestServer()
  const { url } = await server.start()
  repository = await openMissionRepository('', await openDatabase({ server: url }))
})
beforeEach(async () => {
  await server.start()
})
afterAll(async () => {
  await server?.start()
  await repository?.remove()
  await server?.remove()
})

/** How long a person waits for Ctrl-C, in milliseconds: seconds, but on a busy machine; an agent would take minutes. */
const PATIENCE = 60_000

const NOTICE =
  /the database is unavailable: (?:once it is back, other workers continue the (task) of|the worker stops; it was running no task)/

/** Ends a verb as Ctrl-C does, and gives what it said and how long it took. */
async function left({ child, ran }: ReturnType<MissionRepository['start']>) {
  const begun = performance.now()
  child.kill('SIGINT')
  const { code, err, out } = await ran
  return { code, err, out, ms: performance.now() - begun }
}

/** The server of the tests neither answers nor refuses a connection. */
function freeze(): () => void {
  const [{ pid: main } = { pid: 0 }] = serversOf(server.root)
  const servers = processesOf(server.root).filter(
    ({ pid, parent }) => main === pid || main === parent,
  )
  for (const { pid } of servers) process.kill(pid, 'SIGSTOP')
  return () => {
    for (const { pid } of servers) process.kill(pid, 'SIGCONT')
  }
}

test('a worker that is asked to leave while the database is stopped leaves in seconds, and its tasks continue elsewhere', async () => {
  const work = repository.start('work')
  const mission = await repository.begin('slow')
  await taskReaches(repository, mission, 'one', 'running')
  expect(await comesTrue(() => agentsOf(repository).length === 1, 60_000)).toBe(true)
  await server.stop()
  const { code, err, ms } = await left(work)
  expect(code).toBe(130)
  expect(NOTICE.exec(err)?.[1]).toBe('task')
  expect(ms).toBeLessThan(PATIENCE)
  expect(await comesTrue(() => agentsOf(repository).length === 0)).toBe(true)
  await server.start()
  const other = await repository.worker()
  await comesTrue(async () => (await repository.peek(mission)).tasks[0]?.attempt === 2, 60_000)
  await taskReaches(repository, mission, 'one', 'running')
  await other.stop()
  expect((await repository.mission('cancel', mission)).code).toBe(0)
})

test('a worker without a task leaves at once', async () => {
  const work = repository.start('work')
  let output = ''
  work.child.stdout.on('data', chunk => {
    output += chunk
  })
  expect(await comesTrue(() => output.includes('takes tasks'), 60_000)).toBe(true)
  await server.stop()
  const { code, err, ms } = await left(work)
  expect(code).toBe(130)
  // It may have left before it was away for so long that it prints a message.
  expect(err).not.toContain('0 tasks')
  expect(ms).toBeLessThan(PATIENCE)
})

test('who runs a mission sees that the database is stopped, goes on when it is back, and can leave meanwhile', async () => {
  const tasks = `${task('one', 'worker', [], 'HOLD go')}${task('two', 'worker', ['one'], 'PAUSE 600000')}`
  repository.write('missions/templates/held.yaml', `${HEAD}${tasks}`)
  repository.commit()
  const run = repository.start('run', 'held', '--goal', 'Find out')
  let output = ''
  for (const stream of [run.child.stdout, run.child.stderr])
    stream.on('data', chunk => {
      output += chunk
    })
  const saysAway = () => output.split('the database does not answer; waiting for it').length - 1
  expect(await comesTrue(() => output.includes('one  running'), 60_000)).toBe(true)
  await server.stop()
  expect(await comesTrue(() => saysAway() === 1, 60_000)).toBe(true)
  await server.start()
  repository.write('go', '')
  expect(await comesTrue(() => output.includes('two  running'), 60_000)).toBe(true)
  const [, mission = ''] = /● ([0-9a-f-]{36}) running/.exec(output) ?? []
  expect((await repository.mission('pause', mission)).code).toBe(0)
  expect((await repository.peek(mission)).state).toBe('paused')
  await server.stop()
  expect(await comesTrue(() => saysAway() === 2, 60_000)).toBe(true)
  const { code, err, ms } = await left(run)
  expect(code).toBe(130)
  expect(err).toMatch(NOTICE)
  expect(ms).toBeLessThan(PATIENCE)
  expect(await comesTrue(() => agentsOf(repository).length === 0)).toBe(true)
})

test('a database that hangs does not block leaving', async () => {
  const work = repository.start('work')
  const mission = await repository.begin('slow')
  await taskReaches(repository, mission, 'one', 'running')
  const thaw = freeze()
  const { code, err, ms } = await left(work).finally(thaw)
  expect(code).toBe(130)
  expect(err).toMatch(NOTICE)
  expect(ms).toBeLessThan(PATIENCE)
})

test('who leaves before a database that hangs has answered at all leaves at once', async () => {
  const silent = createServer()
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const url = `postgres://a@127.0.0.1:${(silent.address() as AddressInfo).port}/a`
  const verbs = [['work'], ['run', 'slow', '--goal', 'Find out'], ['watch', randomUUID()]]
  for (const verb of verbs) {
    const asked = once(silent, 'connection')
    const waiting = repository.startAt(url, ...verb)
    await asked
    const { code, err, out } = await left(waiting)
    expect({ code, err, out }).toEqual({ code: 130, err: '', out: '' })
  }
  silent.close()
})

test('who has run a mission to its end is not kept by a database that hangs then', async () => {
  const database = await openDatabase({ server: (await server.start()).url })
  const relay = await openRelay(database.url)
  const apart = await openMissionRepository('', { ...database, url: relay.url })
  apart.write('missions/templates/one.yaml', `${HEAD}${task('one', 'worker', [], 'HOLD go')}`)
  apart.commit()
  const { child, ran } = apart.start('run', 'one', '--goal', 'Find out')
  let output = ''
  child.stdout.on('data', chunk => {
    output += chunk
  })
  expect(await comesTrue(() => output.includes('one  running'), 60_000)).toBe(true)
  // What it still asks then is on its way when the wire goes dead.
  relay.slow(300)
  apart.write('go', '')
  expect(await comesTrue(() => output.includes(' finished'), 60_000)).toBe(true)
  relay.hold()
  const { code, err } = await ran
  expect({ code, err }).toEqual({ code: 0, err: expect.not.stringContaining('0 tasks') })
  await relay.end()
  await apart.remove()
})

test('of a database that does not answer for a while each tells once, and workers that it is back', async () => {
  const relay = await openRelay(repository.database.url)
  const output = { work: '', run: '', watch: '' }
  const names = ['work', 'run', 'watch'] as const
  const begins = async (name: keyof typeof output, sign: string, ...more: readonly string[]) => {
    const verb = repository.startAt(relay.url, name, ...more)
    let out = ''
    verb.child.stderr.on('data', chunk => {
      output[name] += chunk
    })
    verb.child.stdout.on('data', chunk => {
      out += chunk
    })
    expect(await comesTrue(() => out.includes(sign), 60_000)).toBe(true)
    return verb
  }
  const running = {
    // With no other worker there, a running task shows that its own worker has started.
    run: await begins('run', 'one  running', 'slow', '--goal', 'Find out'),
    work: await begins('work', 'takes tasks'),
    watch: await begins('watch', 'one  running', await repository.begin('slow')),
  }
  relay.hold()
  const count = (name: keyof typeof output, words: string) => output[name].split(words).length - 1
  const AWAY = 'worker: the database is unreachable: the server does not answer'
  const WAITED = 'the database does not answer; waiting for it'
  const areTold = () =>
    count('work', AWAY) + count('run', AWAY) === 2 &&
    count('run', WAITED) + count('watch', WAITED) === 2
  expect(await comesTrue(areTold, 60_000)).toBe(true)
  // Longer than a new connection is waited for.
  await pause(15_000)
  relay.release()
  const areBack = () => (['work', 'run'] as const).every(name => output[name].includes('is back'))
  expect(await comesTrue(areBack, 60_000)).toBe(true)
  for (const name of names) running[name].child.kill('SIGINT')
  await Promise.all(names.map(name => running[name].ran))
  await relay.end()
  const said = Object.entries(output).map(([name, text]) => [
    name,
    text.split('\n').filter(Boolean).sort(),
  ])
  const both = [AWAY, 'worker: the database is back']
  expect(Object.fromEntries(said)).toMatchObject({
    work: both.toSorted(),
    run: [...both, WAITED, STAYS].toSorted(),
    watch: [WAITED],
  })
}, 300_000)

const STAYS = 'the mission is still running: waybill mission work continues it'

test('on a terminal messages in the meantime stand above the tree', async () => {
  const run = `stty cols 100 rows 30; exec ${process.execPath} ${PROGRAM} mission run slow --goal 'Find out'`
  const { url } = repository.database
  const env = { ...process.env, DATABASE_URL: url, XDG_STATE_HOME: repository.root, TERM: 'xterm' }
  const terminal = spawn('script', ['-qec', run, '/dev/null'], { cwd: repository.root, env })
  const ended = once(terminal, 'exit')
  let output = ''
  terminal.stdout.on('data', chunk => {
    output += chunk
  })
  expect(await comesTrue(() => /one {2}running/.test(output), 60_000)).toBe(true)
  await server.stop()
  expect(await comesTrue(() => output.includes('waiting for it'), 60_000)).toBe(true)
  await server.start()
  const before = output.length
  // The tree ticks on below it.
  expect(await comesTrue(() => /one {2}running/.test(output.slice(before)), 60_000)).toBe(true)
  terminal.stdin.write('\u0003')
  await ended
  const screen = new Screen(100)
  screen.write(output)
  const count = (words: RegExp) => screen.rows.filter(row => words.test(row)).length
  expect(count(/^the database does not answer; waiting for it/)).toBe(1)
  expect(count(/ one {2}/)).toBe(1)
  expect(count(/ two {2}blocked/)).toBe(1)
})
