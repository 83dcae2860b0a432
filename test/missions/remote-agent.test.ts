import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openA2aServer } from '../a2a-server.ts'
import { withRaw } from '../mission-facts.ts'
import { HEAD, type MissionRepository, openMissionRepository, task } from '../mission-repository.ts'
import { comesTrue } from '../processes.ts'

/** In which state the agent's tasks are that it has begun, by their ids: it answers what nobody can take. */
const states: string[] = []
const sent = () => states.length

let agent: Awaited<ReturnType<typeof openA2aServer>>
let repository: MissionRepository
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
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result }))
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
  await repository.worker()
})
afterAll(async () => {
  await repository?.remove()
  await agent?.close()
})

test('an agent elsewhere repairs its answer once, in the time that is left, however often it is waited for', async () => {
  const mission = await repository.begin('remote')
  const tokenOf = (which: string) =>
    withRaw(repository.database.url, async raw => {
      const kept = 'select token from waybill.task_runs where mission_id = $1'
      const [row] = await raw.rows('default', kept, [mission])
      const token = row?.token as { taskId: string; used: number } | undefined
      return token?.taskId === which ? token : undefined
    })
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
