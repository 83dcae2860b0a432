import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { PIPELINE } from '../pipeline-agents.ts'
import { PipelineRuns } from '../pipeline-runs.ts'
import { comesTrue } from '../processes.ts'

const runs = new PipelineRuns(process.env)
const { file, read, ran, put, start } = runs

const says = (words: RegExp) => comesTrue(() => words.test(read()), 60_000)

/** A run in which the first agent waits, and all others are done. */
async function waiting(): Promise<{
  child: ChildProcess
  ended: Promise<unknown>
  out: Promise<string>
}> {
  put(PIPELINE.replace('FIRST', 'WAIT'))
  const child = start('run', '--format', 'json')
  const [out, ended] = [text(child.stdout), once(child, 'exit')]
  expect(await says(/ps-analyst-002, status: COMPLETE/)).toBe(true)
  expect(await says(/ps-researcher-001, status: IN_PROGRESS/)).toBe(true)
  return { child, ended, out }
}

test.each([
  ['while it works', false],
  ['after its worker was killed', true],
])('an agent whose mission is cancelled %s can begin again', async (_, isKilled) => {
  const { child, ended } = await waiting()
  if (isKilled) process.kill(-(child.pid ?? 0), 'SIGKILL')
  if (isKilled) await ended
  const { repository } = runs
  const listed = await repository.mission('list', '--format', 'json')
  const { mission } = JSON.parse(listed.out).missions[0]
  expect((await repository.mission('cancel', mission)).code).toBe(0)
  await ended
  expect(read()).toMatch(/ps-researcher-001, status: PENDING/)
  expect(read()).toMatch(/ps-analyst-002, status: COMPLETE/)
})

test('an agent that a person has set to COMPLETE meanwhile is not run', async () => {
  const { ended, out } = await waiting()
  const done = read().replace(/(ps-critic-003, status: )PENDING/, '$1COMPLETE')
  runs.repository.write(`${runs.place}/out/judged.json`, '{}')
  runs.repository.write(file(), done)
  runs.repository.write('go', '')
  await ended
  expect(ran()).not.toContain('ps-critic-003')
  const { tasks } = JSON.parse(await out).status
  const critic = tasks.find(({ task }: { task: string }) => task.endsWith('critic-003'))
  expect(critic).toMatchObject({ state: 'failed', reason: { code: 'pipeline/complete' } })
})
