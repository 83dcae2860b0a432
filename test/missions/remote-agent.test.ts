import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import missionCancel from '../../src/operations/mission-cancel.ts'
import missionPause from '../../src/operations/mission-pause.ts'
import missionResume from '../../src/operations/mission-resume.ts'
import { openA2aServer } from '../a2a-server.ts'
import { withRaw } from '../mission-facts.ts'
import { HEAD, type MissionRepository, openMissionRepository, task } from '../mission-repository.ts'
import { comesTrue } from '../processes.ts'

/** In which state the agent's tasks are that it has begun, by their ids: it gives an unusable answer. */
const states: string[] = []
const sent = () => states.length
/** How long it takes to say how far a task is, in milliseconds. */
let slowness = 0

let agent: Awaited<ReturnType<typeof openA2aServer>>
let repository: MissionRepository
let worker: Awaited<ReturnType<MissionRepository['worker']>>
beforeAll(async () => {
  agent = await openA2aServer({
    does: { says: [] },
    instead: (request, response) => {
      if (request.url !== '/rpc') return false
      const { id, method, params } = JSON.parse(agent.calls.at(-1)?.text ?? '')
      const isSent = method === 'SendMessage'
      if (isSent) states.push('TASK_STATE_WORKING')
      const which = isSent ? sent() - 1 : Number(params.id.slice(1))
      const artifacts = [{ artifactId: 'a', parts: [{ data: { x: 1 } }] }]
      const found = { id: `t${which}`, contextId: 'c', status: { state: states[which] }, artifacts }
      response.writeHead(200, { 'content-type': 'application/json' })
      const result = isSent ? { task: found } : found
      const answer = () => response.end(JSON.stringify({ jsonrpc: '2.0', id, result }))
      setTimeout(answer, method === 'GetTask' ? slowness : 0)
      return true
    },
  })
  repository = await openMissionRepository()
  const config = readFileSync(join(repository.root, 'waybill.yaml'), 'utf8')
  const remote = `domain-05-product: { runner: a2a, url: "${agent.url}", seconds: 900 }`
  repository.write('waybill.yaml', config.replace(/domain-05-product: \{.*\}/, remote))
  repository.write(
    'missions/templates/remote.yaml',
    `${HEAD.replace(/retries: .*/, 'retries: { limit: 0 }')}${task('far', 'worker', [])}`,
  )
  repository.commit()
  worker = await repository.worker()
})
afterAll(async () => {
  await repository?.remove()
  await agent?.close()
})

/** What is kept of the task that the agent has of a mission. */
const tokenIn = (mission: string) =>
  withRaw(repository.database.url, async raw => {
    const kept = 'select token from waybill.task_runs where mission_id = $1'
    const [row] = await raw.rows('default', kept, [mission])
    return row?.token as { taskId: string; again: number; used: number } | undefined
  })

test('an agent elsewhere repairs its answer once, in the time that is left, however often it is waited for', async () => {
  const mission = await repository.begin('remote')
  const tokenOf = async (which: string) => {
    const token = await tokenIn(mission)
    return token?.taskId === which ? token : undefined
  }
  expect(await comesTrue(async () => (await tokenOf('t0')) !== undefined, 60_000)).toBe(true)
  const first = await tokenOf('t0')
  states[0] = 'TASK_STATE_COMPLETED'
  expect(await comesTrue(async () => (await tokenOf('t1')) !== undefined, 60_000)).toBe(true)
  expect((await tokenOf('t1'))?.used).toBeGreaterThan(first?.used ?? Number.NaN)
  // It is looked at several times before it is done.
  const looks = () => agent.methods().filter(method => method === 'GetTask').length
  const before = looks()
  expect(await comesTrue(() => looks() > before + 1, 60_000)).toBe(true)
  const isTold = async () => {
    const [far] = (await repository.peek(mission)).tasks
    return far?.state === 'waiting' && far.reason?.code === 'mission/answer-refused'
  }
  expect(await comesTrue(isTold, 60_000)).toBe(true)
  states[1] = 'TASK_STATE_COMPLETED'
  const status = await repository.reaches(mission, 'failed', 'finished')
  expect(status).toMatchObject({
    state: 'failed',
    tasks: [{ state: 'failed', failures: 1, reason: { code: 'mission/answer-refused' } }],
  })
  expect(sent()).toBe(2)
}, 300_000)

test('a mission that is paused and goes on uses none of the time that its agent has', async () => {
  const mission = await repository.begin('remote')
  const isWaitedFor = async () => ((await tokenIn(mission))?.again ?? 0) > 5000
  expect(await comesTrue(isWaitedFor, 60_000)).toBe(true)
  const before = (await tokenIn(mission))?.used ?? Number.NaN
  for (let n = 0; n < 5; n += 1) {
    const { again } = (await tokenIn(mission)) ?? {}
    await missionPause.run({ mission }, repository.missionApp())
    await missionResume.run({ mission }, repository.missionApp())
    const isLookedAt = async () => (await tokenIn(mission))?.again !== again
    expect(await comesTrue(isLookedAt, 60_000)).toBe(true)
  }
  // Of the pauses of 5 to 38 seconds none was waited.
  expect((await tokenIn(mission))?.used).toBeLessThan(before + 30_000)
  await missionCancel.run({ mission, why: 'over' }, repository.missionApp())
}, 120_000)

test('a worker that is stopped while it looks at an agent leaves its task to the next one', async () => {
  const mission = await repository.begin('remote')
  expect(await comesTrue(async () => (await tokenIn(mission))?.taskId !== undefined, 60_000)).toBe(
    true,
  )
  const [begun, kept] = [sent(), await tokenIn(mission)]
  slowness = 3000
  expect(await comesTrue(isLookedAgain(), 60_000)).toBe(true)
  const cancels = () => agent.methods().filter(method => method === 'CancelTask').length
  const before = cancels()
  worker.kill('SIGTERM')
  await worker.ended
  slowness = 0
  const isLooked = isLookedAgain()
  worker = await repository.worker()
  expect(await comesTrue(isLooked, 60_000)).toBe(true)
  expect([cancels(), sent(), (await tokenIn(mission))?.taskId]).toEqual([
    before,
    begun,
    kept?.taskId,
  ])
}, 120_000)

/** Whether the agent was asked how far a task is since this was called. */
function isLookedAgain(): () => boolean {
  const { length } = agent.methods()
  return () => agent.methods().slice(length).includes('GetTask')
}
