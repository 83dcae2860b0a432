import { afterAll, beforeAll, expect, test } from 'vitest'
import missionAnswer from '../../src/operations/mission-answer.ts'
import { isLong } from '../long.ts'
import { expectBriefOnce } from '../mission-facts.ts'
import { HEAD, type MissionRepository, openMissionRepository, task } from '../mission-repository.ts'
import { comesTrue } from '../processes.ts'

/** How many tasks wait for people. */
const WAITING = isLong ? 1_000 : 50
const NAMES = Array.from({ length: WAITING }, (_, i) => `ask${i}`)
const ANSWER = JSON.stringify({
  output_text: 'We do it.',
  structured_output: {},
  citations: [{ kind: 'internal', ref: 'lead_123' }],
  confidence: 0.8,
  tool_trace_refs: [],
})

let repository: MissionRepository
beforeAll(async () => {
  repository = await openMissionRepository()
  const agents = NAMES.map(name => `${name}: archetype-product-thinker`).join(', ')
  const asked = NAMES.map(name => task(name, 'worker', [])).join('')
  repository.write(
    'missions/templates/people.yaml',
    `${HEAD.replace('tasks:', `agents: { ${agents} }\ntasks:`)}${asked}${task('after', 'worker', ['ask7'])}`,
  )
  repository.write('answer.json', ANSWER)
  repository.commit()
})
afterAll(() => repository?.remove())

test(`${WAITING} tasks that wait for people hold no place in the queue, and an answer lets one go on`, async () => {
  await repository.worker({ concurrency: 2 })
  const mission = await repository.begin('people')
  const statesOf = async () => (await repository.peek(mission)).tasks.map(({ state }) => state)
  const isAllWaiting = async () =>
    (await statesOf()).filter(state => state === 'waiting').length === WAITING
  expect(await comesTrue(isAllWaiting, 600_000)).toBe(true)
  const other = await repository.begin('brief')
  await expectBriefOnce(repository, other, await repository.reaches(other, 'finished', 'failed'))
  const before = await repository.peek(mission)
  expect(new Set(before.tasks.map(one => `${one.state} ${one.waitingFor} ${one.attempt}`))).toEqual(
    new Set(['waiting person 1', 'blocked null 0']),
  )
  await missionAnswer.run(
    { mission, task: 'ask7', file: 'answer.json', by: 'ada' },
    repository.missionApp(),
  )
  const isFurther = async () => {
    const { tasks } = await repository.peek(mission)
    return tasks.find(one => one.task === 'after')?.state === 'done'
  }
  expect(await comesTrue(isFurther, 60_000)).toBe(true)
  expect((await statesOf()).filter(state => state === 'waiting')).toHaveLength(WAITING - 1)
}, 900_000)

test('a person whose answer is refused sees why, and is asked again', async () => {
  await repository.worker({ concurrency: 2 })
  const mission = await repository.begin('people')
  const taskOf = async () => (await repository.peek(mission)).tasks.find(one => one.task === 'ask3')
  const waits = async () => (await taskOf())?.state === 'waiting'
  expect(await comesTrue(waits, 120_000)).toBe(true)
  repository.write('wrong.json', JSON.stringify({ output_text: 'Yes.' }))
  await missionAnswer.run(
    { mission, task: 'ask3', file: 'wrong.json', by: 'ada' },
    repository.missionApp(),
  )
  const isTold = async () => {
    const found = await taskOf()
    return found?.state === 'waiting' && found.reason?.code === 'mission/answer-refused'
  }
  expect(await comesTrue(isTold, 120_000)).toBe(true)
  await missionAnswer.run(
    { mission, task: 'ask3', file: 'answer.json', by: 'ada' },
    repository.missionApp(),
  )
  expect(await comesTrue(async () => (await taskOf())?.state === 'done', 120_000)).toBe(true)
}, 600_000)
