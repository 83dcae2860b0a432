import { expect, test } from 'vitest'
import { bareApp } from '../../../test/bare-app.ts'
import missionApprove from '../mission-approve.ts'
import missionList from '../mission-list.ts'
import missionRun from '../mission-run.ts'
import missionSubmit from '../mission-submit.ts'
import missionWork from '../mission-work.ts'
import pipelineRun from '../pipeline-run.ts'
import { numberIn } from './numbers.ts'

/** A program whose database cannot be asked. */
const app = {
  ...bareApp(import.meta.dirname),
  databaseUrl: 'postgres://nobody@127.0.0.1:1/nothing',
}
const made = { template: 'brief', goal: 'Find out' }

const BAD = [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 1e15, 2 ** 60]

const GIVEN: readonly [string, (value: number) => Promise<unknown>][] = [
  ['--time-budget', timeBudget => missionRun.run({ ...made, timeBudget }, app)],
  ['--token-budget', tokenBudget => missionRun.run({ ...made, tokenBudget }, app)],
  ['--concurrency', concurrency => missionRun.run({ ...made, concurrency }, app)],
  ['--time-budget', timeBudget => missionSubmit.run({ ...made, timeBudget }, app)],
  ['--token-budget', tokenBudget => missionSubmit.run({ ...made, tokenBudget }, app)],
  ['--concurrency', concurrency => missionWork.run({ concurrency }, app)],
  ['--hours', hours => missionApprove.run({ proposal: 'wb_7', by: 'ada', why: 'x', hours }, app)],
  ['--limit', limit => missionList.run({ limit }, app)],
  ['--time-budget', timeBudget => pipelineRun.run({ timeBudget }, app)],
  ['--token-budget', tokenBudget => pipelineRun.run({ tokenBudget }, app)],
  ['--concurrency', concurrency => pipelineRun.run({ concurrency }, app)],
]

test.each(GIVEN.flatMap(([flag, run], i) => BAD.map(value => [flag, value, i, run] as const)))(
  '%s %d is refused before a database is asked (%#)',
  async (flag, value, _, run) => {
    await expect(run(value)).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringMatching(
        new RegExp(`^${flag} must be a whole number from 1 to [0-9]+$`),
      ),
    })
  },
)

test.each([1, 7, 1000])('%d is taken', value => {
  expect(numberIn({ flag: '--limit', most: 1000 }, value)).toBe(value)
})

test.each([
  ['goal', '--goal', { goal: 'x' }],
  ['tenant', '--tenant', { tenant: 'acme' }],
  ['time budget', '--time-budget', { timeBudget: 5 }],
  ['context', '--context', { context: ['a=b'] }],
])('a %s that would not count with an envelope is refused', async (_, flag, more) => {
  const given = { envelope: 'e.json', graph: 'g.json', ...more }
  await expect(missionSubmit.run(given, app)).rejects.toMatchObject({
    code: 'usage',
    message: `${flag} has no effect with --envelope`,
  })
})
