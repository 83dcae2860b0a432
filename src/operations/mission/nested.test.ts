import { expect, test } from 'vitest'
import approve from '../approve.ts'
import missionAnswer from '../mission-answer.ts'
import missionApprove from '../mission-approve.ts'
import missionCancel from '../mission-cancel.ts'
import missionPause from '../mission-pause.ts'
import missionReject from '../mission-reject.ts'
import missionResume from '../mission-resume.ts'
import missionRetry from '../mission-retry.ts'
import missionRun from '../mission-run.ts'
import missionSubmit from '../mission-submit.ts'
import missionWork from '../mission-work.ts'
import type { App } from '../operation.ts'
import pipelineRun from '../pipeline-run.ts'

const app: App = {
  now: 0,
  root: '/',
  cwd: '/',
  version: '0',
  stdin: async () => new Uint8Array(),
  variable: name => (name === 'WAYBILL_TASK' ? 'b/1/ps-b' : undefined),
}
const mission = '00000000-0000-4000-8000-000000000000'

test.each<[string, () => Promise<unknown>]>([
  ['run a pipeline', () => pipelineRun.run({}, app)],
  ['run a mission', () => missionRun.run({ template: 'one', goal: 'nested' }, app)],
  ['begin a mission', () => missionSubmit.run({ template: 'one', goal: 'nested' }, app)],
  ['start workers', () => missionWork.run({}, app)],
  ['let a mission go on', () => missionResume.run({ mission }, app)],
  ['try tasks again', () => missionRetry.run({ mission }, app)],
])('an agent cannot %s', async (what, run) => {
  await expect(run()).rejects.toMatchObject({
    code: 'usage',
    message: `the agent of the task b/1/ps-b cannot ${what}`,
  })
})

test.each<[string, () => Promise<unknown>]>([
  ['decide on a write-back', () => missionApprove.run({ proposal: 'wb', by: 'a', why: 'b' }, app)],
  ['decide on a write-back', () => missionReject.run({ proposal: 'wb', by: 'a', why: 'b' }, app)],
  ['decide on a handoff', () => approve.run({ handoff: mission, by: 'a', why: 'b' }, app)],
  ['answer for a person', () => missionAnswer.run({ mission, task: 'review' }, app)],
  ['pause a mission', () => missionPause.run({ mission }, app)],
  ['cancel a mission', () => missionCancel.run({ mission }, app)],
])('an agent does not decide for a person: it cannot %s', async (what, run) => {
  await expect(run()).rejects.toMatchObject({
    code: 'not-approved',
    message: `the agent of the task b/1/ps-b cannot ${what}`,
    hint: expect.stringContaining('let a person do it'),
  })
})
