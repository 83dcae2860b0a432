import { afterAll, beforeAll, expect, test } from 'vitest'
import logShow from '../../src/operations/log-show.ts'
import missionAnswer from '../../src/operations/mission-answer.ts'
import missionApprove from '../../src/operations/mission-approve.ts'
import { taskReaches } from '../mission-facts.ts'
import { HEAD, type MissionRepository, openMissionRepository, task } from '../mission-repository.ts'

const THINKER = 'archetype-product-thinker'
const REVIEW = {
  artifacts: [
    {
      ...{ schema_name: 'review_packet', review_status: 'approved', issues: [] },
      ...{ required_edits: [], approved_output: { summary: 'reviewed' } },
    },
    {
      ...{ schema_name: 'writeback_proposal', target_entity_type: 'lead' },
      ...{ target_entity_id: 'lead_123', action_type: 'lead_update' },
      ...{ payload: { stage: 'next' }, requires_approval: true },
    },
  ],
}

let repository: MissionRepository
beforeAll(async () => {
  repository = await openMissionRepository()
  repository.write(
    'missions/templates/reviewed.yaml',
    `${HEAD.replace('tasks:', `agents: { review: ${THINKER} }\ntasks:`)}${task('one', 'worker', [])}${task('join', 'aggregator', ['one'])}${task('review', 'reviewer', ['join'])}`,
  )
  repository.write('review.json', JSON.stringify(REVIEW))
  repository.commit()
  await repository.worker()
})
afterAll(() => repository?.remove())

test('the person who has answered a task cannot decide on what it proposes, and another person can', async () => {
  const mission = await repository.begin('reviewed')
  await taskReaches(repository, mission, 'review', 'waiting')
  const given = ['--file', 'review.json', '--by', 'ines']
  const { code, out } = await repository.mission('answer', mission, 'review', ...given)
  expect([code, out]).toEqual([0, expect.stringContaining('answered by ines (claimed)')])
  expect((await repository.reaches(mission, 'finished', 'failed')).state).toBe('finished')
  const { tasks, proposals } = await repository.peek(mission)
  const { answeredBy } = tasks.find(one => one.task === 'review') ?? {}
  expect(answeredBy).toMatchObject({ by: 'ines', standing: 'claimed' })
  const { entries } = await logShow.run({ about: mission, kind: 'task-answer' }, repository.app())
  expect(entries).toMatchObject([{ digest: answeredBy?.entry, by: 'ines', standing: 'claimed' }])
  const decision = { proposal: proposals[0]?.proposal ?? '', why: 'I wrote it myself' }
  for (const by of ['ines', ' INES', 'person:ines'])
    await expect(
      missionApprove.run({ ...decision, by }, repository.missionApp()),
    ).rejects.toMatchObject({
      code: 'not-approved',
      message: expect.stringContaining('answered the task that proposed it'),
    })
  const approved = await missionApprove.run({ ...decision, by: 'ada' }, repository.missionApp())
  expect(approved).toMatchObject({ outcome: 'recorded', by: 'ada' })
  expect(await repository.mission('replay', mission)).toMatchObject({ code: 0, err: '' })
})

test.each([
  ['an agent', THINKER, 'is an agent'],
  ['no person', ' ', 'an answer needs --by <who>'],
  ['a credential', `ghp_${'a1B2'.repeat(9)}`, 'looks like a credential'],
])('a task is not answered in the name of %s', async (_, by, message) => {
  const mission = await repository.begin('reviewed')
  await taskReaches(repository, mission, 'review', 'waiting')
  const given = { mission, task: 'review', file: 'review.json', by }
  const refused = { code: 'usage', message: expect.stringContaining(message) }
  await expect(missionAnswer.run(given, repository.missionApp())).rejects.toMatchObject(refused)
  const { tasks } = await repository.peek(mission)
  expect(tasks.find(one => one.task === 'review')).toMatchObject({
    ...{ state: 'waiting', answeredBy: null },
  })
})
