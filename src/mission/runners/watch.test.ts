import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { comesTrue, processesOf } from '../../../test/processes.ts'
import { assignmentOf } from '../../../test/runner-suite.ts'
import { openTestFolder, type TestFolder } from '../../../test/test-folder.ts'

/** Stubborn processes: the agent, one in a session of its own, and one that knows nothing of its environment. */
const AGENT = `#!/bin/sh
trap '' TERM HUP INT PIPE
setsid sh -c 'trap "" TERM HUP INT; while :; do sleep 1; done' &
env -i /bin/sh -c 'trap "" TERM HUP INT; while :; do /bin/sleep 1; done' &
echo $WAYBILL_RUN > mark
echo begun > begun
while :; do sleep 1; done
`

/** Does what a worker does, with one task. */
const WORKER = `
import { commandRunner } from ${JSON.stringify(join(import.meta.dirname, 'command.ts'))}
process.on('SIGUSR2', () => process.exit(0))
const { assignment, environment } = JSON.parse(process.argv[2])
const signal = new AbortController().signal
const runner = commandRunner({ runner: 'command', command: ['/bin/sh', 'agent.sh'] })
const outcome = await runner.run(assignment, { root: process.cwd(), environment, signal })
process.stdout.write(JSON.stringify(outcome))
`

let folder: TestFolder
let worker: ChildProcess
/** The exit code of the worker. */
let ended: Promise<unknown>
beforeEach(() => {
  folder = openTestFolder()
  folder.write('worker.mjs', WORKER)
})
afterEach(() => {
  worker.kill('SIGKILL')
  folder.remove()
})

const mark = () => readFileSync(join(folder.root, 'mark'), 'utf8').trim()
/** The processes in the folder, and those that watch over them. */
const left = () => [...processesOf(folder.root), ...processesOf(mark())].map(one => one.command)

async function startWorker(agent: string): Promise<void> {
  folder.write('agent.sh', agent)
  const environment = { PATH: process.env.PATH }
  const given = JSON.stringify({ assignment: assignmentOf(), environment })
  worker = spawn(process.execPath, ['worker.mjs', given], { cwd: folder.root, detached: true })
  ended = new Promise(resolve => worker.once('close', resolve))
  expect(await comesTrue(() => existsSync(join(folder.root, 'begun')))).toBe(true)
}

test.each([
  ['is killed', 'SIGKILL'],
  ['gets a signal to end', 'SIGTERM'],
  ['loses its terminal', 'SIGHUP'],
  ['ends by itself in the middle of it', 'SIGUSR2'],
] as const)('an agent ends with a worker that %s, and no watchdog is left', async (_, signal) => {
  await startWorker(AGENT)
  expect(left().length).toBeGreaterThan(3)
  worker.kill(signal)
  expect(await comesTrue(() => left().length === 0)).toBe(true)
})

test('a whole group of workers that is killed at once takes the agents with it', async () => {
  await startWorker(AGENT)
  process.kill(-Number(worker.pid), 'SIGKILL')
  expect(await comesTrue(() => left().length === 0)).toBe(true)
})

test.each(['SIGKILL', 'SIGSTOP'] as const)(
  'an agent continues when its watchdog gets a %s',
  async signal => {
    await startWorker(
      "echo $WAYBILL_RUN > mark; touch begun; until [ -e go ]; do sleep 0.05; done; echo '[]'",
    )
    const said: Buffer[] = []
    worker.stdout?.on('data', chunk => said.push(chunk))
    const watches = processesOf(mark()).filter(({ command }) => command.includes('waybill-watch'))
    expect(watches).toHaveLength(1)
    for (const { pid } of watches) process.kill(pid, signal)
    folder.write('go', '')
    expect(await ended).toBe(0)
    expect(Buffer.concat(said).toString()).toBe('{"is":"returned","answer":[]}')
    expect(left()).toEqual([])
  },
)

test('when the work is done no watchdog is left', async () => {
  await startWorker("echo $WAYBILL_RUN > mark; touch begun; echo '[]'")
  await ended
  expect(left()).toEqual([])
})
