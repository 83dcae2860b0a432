import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import missionAnswer from '../../src/operations/mission-answer.ts'
import missionPause from '../../src/operations/mission-pause.ts'
import missionResume from '../../src/operations/mission-resume.ts'
import missionRetry from '../../src/operations/mission-retry.ts'
import { HEAD, type MissionRepository, openMissionRepository, task } from '../mission-repository.ts'
import { comesTrue } from '../processes.ts'

let repository: MissionRepository
beforeAll(async () => {
  repository = await openMissionRepository()
  const head = HEAD.replace('limit: 1', 'limit: 0').replace(
    'tasks:',
    'agents: { decide: archetype-product-thinker }\ntasks:',
  )
  repository.write(
    'missions/templates/steps.yaml',
    `${head}${task('one', 'worker', [], 'UNLESS works')}${task('decide', 'worker', ['one'])}${task('two', 'worker', ['decide'])}`,
  )
  const many = MANY.map(name => task(name, 'worker', [], `UNLESS ${name}`)).join('')
  repository.write('missions/templates/many.yaml', `${HEAD.replace('limit: 1', 'limit: 0')}${many}`)
  const answer = { output_text: 'Yes', structured_output: {}, citations: [], confidence: 1 }
  repository.write('answer.json', JSON.stringify({ ...answer, tool_trace_refs: [] }))
  repository.commit()
})
afterAll(() => repository?.remove())

const MANY = Array.from({ length: 12 }, (_, i) => `w${i}`)

test('a worker whose engine never asks the queue hears of a mission that begins, is tried again or goes on, and of answers', async () => {
  const quiet = pathToFileURL(join(import.meta.dirname, '../quiet-engine.ts')).href
  await repository.worker({ preload: quiet })
  const app = () => repository.missionApp()
  const mission = await repository.begin('steps')
  const waitsAs = (attempt: number) => async () => {
    const { tasks } = await repository.peek(mission)
    return tasks.some(one => one.state === 'waiting' && one.attempt === attempt)
  }
  await repository.reaches(mission, 'failed')
  repository.write('works', '')
  await missionRetry.run({ mission }, app())
  expect(await comesTrue(waitsAs(1), 60_000)).toBe(true)
  await missionPause.run({ mission }, app())
  await missionResume.run({ mission }, app())
  expect(await comesTrue(waitsAs(2), 60_000)).toBe(true)
  await missionAnswer.run({ mission, task: 'decide', file: 'answer.json', by: 'ada' }, app())
  await repository.reaches(mission, 'finished')
})

test('messages about a mission end none of its attempts that are about to begin', async () => {
  await repository.worker({ concurrency: MANY.length })
  const mission = await repository.begin('many')
  await repository.reaches(mission, 'failed')
  for (const name of MANY) repository.write(name, '')
  for (const name of MANY) await missionRetry.run({ mission, task: name }, repository.missionApp())
  const { tasks } = await repository.reaches(mission, 'finished', 'failed')
  expect(tasks.map(({ state, attempt }) => [state, attempt])).toEqual(MANY.map(() => ['done', 2]))
}, 120_000)
