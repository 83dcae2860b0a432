import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { openDatabase } from '../../../test/database.ts'
import { envelopeOf, graphOf } from '../../../test/mission-payloads.ts'
import { claimTask, readRun, readTask } from '../../store/index.ts'
import { pauseMission, resumeMission, retryMission, waitingTask } from './control.ts'
import { type Ending, endAttempt, NOTHING } from './endings.ts'
import { submitMission } from './submit.ts'

const tenant = 'acme'
const plan = { agent: 'a', prompt: null, retries: { limit: 0, first: 1, longest: 1 } }
const DONE: Ending = { is: 'done', artifacts: [], plans: [], revision: 0, usage: NOTHING }

test('a mission whose failed tasks are tried again one by one always says why it failed', async () => {
  const { store, remove } = await openDatabase()
  const [mission, worker] = [randomUUID(), randomUUID()]
  await submitMission(store, {
    envelope: envelopeOf(mission, tenant),
    graph: graphOf(mission, { one: [], two: [] }),
    decisions: [],
    plans: ['one', 'two'].map(task => ({ ...plan, task })),
    template: null,
  })
  const end = (name: string, ending: Ending) =>
    store.tenant(tenant, async tx => {
      const { attempt = 0 } = (await readTask(tx, mission, name)) ?? {}
      const which = { mission, task: name, attempt }
      await claimTask(tx, { ...which, worker })
      const task = await readTask(tx, mission, name)
      if (!task) throw new Error('there is no such task')
      return endAttempt(tx, { attempt: { tenant, ...which }, task, worker, handoff: null }, ending)
    })
  const found = () => store.tenant(tenant, tx => readRun(tx, mission))
  const fails = (name: string) => {
    const reason = { code: 'mission/runner-failed', message: `${name} is out of order` }
    return end(name, { is: 'failed', reason, mayRetry: false, usage: NOTHING })
  }
  await fails('one')
  await fails('two')
  const reasonOf = (name: string) => ({
    code: 'mission/runner-failed',
    message: `${name}: ${name} is out of order`,
  })
  expect(await found()).toMatchObject({ state: 'failed', reason: reasonOf('one') })
  await expect(retryMission(store, { tenant, mission }, 'on')).rejects.toMatchObject({
    code: 'not-found',
    message: 'the mission has no task on',
  })
  await retryMission(store, { tenant, mission }, 'one')
  expect(await found()).toMatchObject({ state: 'running', reason: reasonOf('two') })
  await end('one', DONE)
  expect(await found()).toMatchObject({ state: 'failed', reason: reasonOf('two') })
  await retryMission(store, { tenant, mission })
  expect(await found()).toMatchObject({ state: 'running', reason: null })
  await end('two', DONE)
  expect(await found()).toMatchObject({ state: 'finished', reason: null })
  await remove()
})

test('what is suggested where a verb is refused names the tenant, and of a paused mission what goes on with it', async () => {
  const { store, remove } = await openDatabase()
  const mission = randomUUID()
  await submitMission(store, {
    envelope: envelopeOf(mission, tenant),
    graph: graphOf(mission, { one: [] }),
    decisions: [],
    plans: [{ ...plan, task: 'one' }],
    template: null,
  })
  const which = { tenant, mission }
  const shown = `waybill mission status ${mission} --tenant acme shows`
  await expect(resumeMission(store, which)).rejects.toMatchObject({
    message: 'cannot resume: the mission is running',
    hint: `${shown} its state`,
  })
  await expect(retryMission(store, which, 'on')).rejects.toMatchObject({
    hint: `${shown.replace('shows', 'lists')} its tasks`,
  })
  await expect(waitingTask(store, which, 'one')).rejects.toMatchObject({
    hint: `${shown} its tasks and what they wait for`,
  })
  await pauseMission(store, which)
  await expect(retryMission(store, which)).rejects.toMatchObject({
    message: 'cannot retry: the mission is paused',
    hint: `resume it first: waybill mission resume ${mission} --tenant acme`,
  })
  await remove()
})
