import { afterAll, beforeAll, expect, test } from 'vitest'
import { digestOf, graphOf } from '../../../test/mission-payloads.ts'
import { openWriteBacks, TENANT, type WriteBacks } from '../../../test/write-backs.ts'
import { entryAt } from '../../governance/index.ts'
import { insertArtifact, insertRun, insertTasks, readTask, settleTasks } from '../../store/index.ts'
import { answerAs } from './answer.ts'

const ANSWER = { output_text: 'so' }

let there: WriteBacks
beforeAll(async () => {
  there = await openWriteBacks({ people: 'proved' })
})
afterAll(() => there?.remove())

/** Makes a mission whose task waits for a person. */
async function waiting() {
  const { mission } = await there.propose()
  const retries = { limit: 0, first: 1, longest: 1 }
  await there.database.store.tenant(TENANT, async tx => {
    await insertArtifact(tx, graphOf(mission, { decide: [] }))
    await insertRun(tx, { mission, template: null, timeBudget: null, tokenBudget: null })
    await insertTasks(tx, mission, [{ task: 'decide', agent: 'owner', prompt: null, retries }])
    const change = { waitingFor: 'person' }
    await settleTasks(tx, { mission, from: ['blocked'], to: 'waiting', change })
  })
  return { tenant: TENANT, mission, task: 'decide' }
}

const stored = ({ mission, task }: { mission: string; task: string }) =>
  there.database.store.tenant(TENANT, tx => readTask(tx, mission, task))

test('where people sign a mere name answers nothing, and a key does, which the log says', async () => {
  const which = await waiting()
  const { database, gateway, key: keyFile } = there
  const answer = (by: string, more = {}) =>
    answerAs(database.store, gateway, { ...which, answer: ANSWER, by, ...more })
  await expect(answer('ada')).rejects.toThrow('to answer, ada has to sign')
  await expect(answer('ines', { keyFile })).rejects.toThrow('cannot verify that ines states this')
  expect(await stored(which)).toMatchObject({ state: 'waiting', answeredBy: null })
  expect(await gateway.log.find('kind:task-answer')).toEqual([])
  await answer('ada', { keyFile })
  const found = await stored(which)
  expect(found).toMatchObject({ attempt: 1, answeredBy: { by: 'ada', standing: 'proved' } })
  const [index = -1] = await gateway.log.find('kind:task-answer')
  expect(await entryAt(gateway.log, index)).toMatchObject({
    digest: found?.answeredBy?.entry,
    statement: {
      subject: [{ digest: { sha256: digestOf(ANSWER) } }],
      predicate: {
        ...{ ids: { mission: which.mission, task: 'decide' }, agents: ['owner'] },
        ...{ by: 'ada', standing: 'proved', proof: { by: 'ada' } },
        stated: expect.stringContaining(`"sha256":"${digestOf(ANSWER)}","task":"decide"`),
      },
    },
  })
})

test('a task that does not wait for a person takes no answer, and the log has none of it', async () => {
  const which = await waiting()
  const { database, gateway, key: keyFile } = there
  const given = { ...which, answer: ANSWER, by: 'ada', keyFile }
  await answerAs(database.store, gateway, given)
  const before = await gateway.log.find('kind:task-answer')
  await expect(answerAs(database.store, gateway, given)).rejects.toThrow(
    'does not wait for a person: it is queued',
  )
  await expect(answerAs(database.store, gateway, { ...given, task: 'x' })).rejects.toThrow(
    'the mission has no task x',
  )
  expect(await gateway.log.find('kind:task-answer')).toEqual(before)
})

test('an answer that cannot be stored is refused before the log has it, and one that only looks so is not', async () => {
  const which = await waiting()
  const { database, gateway, key: keyFile } = there
  const answer = (given: unknown) =>
    answerAs(database.store, gateway, { ...which, answer: given, by: 'ada', keyFile })
  const before = await gateway.log.find('kind:task-answer')
  for (const given of ['\0', { a: ['b\\\0'] }, { '\0': 1 }])
    await expect(answer(given)).rejects.toThrow('the character \\u0000')
  expect(await gateway.log.find('kind:task-answer')).toEqual(before)
  await answer({ output_text: '\\u0000' })
  expect(await stored(which)).toMatchObject({ state: 'queued' })
})
