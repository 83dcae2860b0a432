import type { Server } from 'node:http'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { readProposal } from '../../src/store/index.ts'
import { answering, listen, SECRET } from '../delivering.ts'
import { forgeApproval } from '../forged-decision.ts'
import {
  type MissionRepository,
  openMissionRepository,
  type RunningWorker,
} from '../mission-repository.ts'
import { comesTrue } from '../processes.ts'
import type { Received } from '../standard-webhooks.ts'

const tenant = 'default'

let repository: MissionRepository
let worker: RunningWorker
let received: Received[]
const servers: Server[] = []
beforeAll(async () => {
  const receiver = await listen(answering(200), servers)
  received = receiver.received
  vi.stubEnv('HOOK_SECRET', SECRET)
  repository = await openMissionRepository(
    `  writebacks:\n    '*': { webhook: "${receiver.url}", secret: HOOK_SECRET }\n`,
  )
  worker = await repository.worker()
})
afterAll(async () => {
  vi.unstubAllEnvs()
  for (const server of servers) server.close()
  await repository?.remove()
})

/** A mission that has proposed something; gives which. */
async function propose() {
  const mission = await repository.begin('brief')
  const { artifacts } = await repository.reaches(mission, 'finished')
  const { id = '' } = artifacts.find(one => one.schemaName === 'writeback_proposal') ?? {}
  return { tenant, mission, proposal: id }
}

const read = (which: Awaited<ReturnType<typeof propose>>) =>
  repository.database.store.tenant(tenant, tx => readProposal(tx, which))

test('a worker sends what a person has approved, and nothing that was forged in the database as approved', async () => {
  const { url } = repository.database
  const [named, unrecorded, approved] = [await propose(), await propose(), await propose()]
  await worker.stop()
  await forgeApproval(url, named, { entry: '0'.repeat(64) })
  await forgeApproval(url, unrecorded, { standing: 'claimed', statement: { stated: 'yes' } })
  // A worker records what is not recorded yet before it does anything else for a tenant.
  worker = await repository.worker()
  const given = ['--mission', approved.mission, '--by', 'ada', '--why', 'read']
  expect(await repository.mission('approve', approved.proposal, ...given)).toMatchObject({
    code: 0,
  })
  const isOver = async () => {
    const all = [await read(named), await read(approved)]
    return all.every(found => found?.delivery?.endedAt)
  }
  expect(await comesTrue(isOver, 60_000)).toBe(true)
  expect((await read(named))?.delivery).toMatchObject({
    ...{ state: 'failed', attempts: 1 },
    outcome: { code: 'writeback/not-approved' },
  })
  await repository.reaches(await repository.begin('brief'), 'finished')
  expect(await read(unrecorded)).toMatchObject({ decision: { entry: null }, delivery: null })
  expect(worker.output()).toContain('no valid statement proves the decision')
  expect(received.map(({ body }) => JSON.parse(body).data.mission)).toEqual([approved.mission])
}, 180_000)
