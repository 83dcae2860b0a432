import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { taskReaches } from '../mission-facts.ts'
import { type MissionRepository, openMissionRepository } from '../mission-repository.ts'
import { comesTrue } from '../processes.ts'
import { PROGRAM } from '../program.ts'

let repository: MissionRepository
beforeAll(async () => {
  repository = await openMissionRepository()
  await repository.worker()
})
afterAll(() => repository?.remove())

const ANSWER = {
  output_text: 'decided',
  structured_output: {},
  citations: [],
  confidence: 1,
  tool_trace_refs: [],
}
/** What is said where nothing would happen otherwise. */
const HELP = 'reading what you type or paste; Ctrl-D on a line of its own ends it'

test('a person who answers at a terminal sees how the answer ends, and the mission continues with it', async () => {
  const mission = await repository.begin('person')
  await taskReaches(repository, mission, 'decide', 'waiting')
  const { url } = repository.database
  const env = { ...process.env, DATABASE_URL: url, XDG_STATE_HOME: repository.root, TERM: 'xterm' }
  const run = `${process.execPath} ${PROGRAM} mission answer ${mission} decide --by ada`
  const terminal = spawn('script', ['-qec', run, '/dev/null'], { cwd: repository.root, env })
  const ended = once(terminal, 'exit')
  let output = ''
  terminal.stdout.on('data', chunk => {
    output += chunk
  })
  expect(await comesTrue(() => output.includes(HELP), 60_000)).toBe(true)
  terminal.stdin.write(`${JSON.stringify(ANSWER)}\n\u0004`)
  expect(await ended).toEqual([0, null])
  expect((await repository.reaches(mission, 'finished', 'failed')).state).toBe('finished')
})

test('what comes through a pipe is read without a word', async () => {
  const mission = await repository.begin('person')
  await taskReaches(repository, mission, 'decide', 'waiting')
  const { child, ran } = repository.start('answer', mission, 'decide', '--by', 'ada')
  child.stdin.end(JSON.stringify(ANSWER))
  expect(await ran).toMatchObject({ code: 0, err: '' })
})

/** Whether a task waits again, at an attempt, after what it was answered there was refused. */
const refusedAt = (mission: string, attempt: number) =>
  comesTrue(async () => {
    const { tasks } = await repository.peek(mission)
    const found = tasks.find(({ task }) => task === 'decide')
    const isRefused = found?.reason?.code === 'mission/answer-refused'
    return isRefused && found?.state === 'waiting' && found.attempt === attempt
  }, 60_000)

test('refused answers are reported, and the wait continues until one is accepted', async () => {
  const mission = await repository.begin('person')
  await taskReaches(repository, mission, 'decide', 'waiting')
  for (const [wrong, attempt] of [
    ['{}', 2],
    ['{ "artifacts": [] }', 3],
    ['{ "output_text": 7 }', 4],
  ] as const) {
    const { child, ran } = repository.start('answer', mission, 'decide', '--by', 'ada')
    child.stdin.end(wrong)
    expect(await ran).toMatchObject({ code: 0, err: '' })
    expect(await refusedAt(mission, attempt)).toBe(true)
  }
  const { child, ran } = repository.start('answer', mission, 'decide', '--by', 'ada')
  child.stdin.end(JSON.stringify(ANSWER))
  expect(await ran).toMatchObject({ code: 0, err: '' })
  expect((await repository.reaches(mission, 'finished', 'failed')).state).toBe('finished')
})
