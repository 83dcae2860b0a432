import { expect, test } from 'vitest'
import { assignmentOf } from '../../../test/runner-suite.ts'
import type { Assignment, RunContext } from '../runner.ts'
import { humanRunner } from './human.ts'

const run = (more: Partial<RunContext>, assignment: Partial<Assignment> = {}) =>
  humanRunner().run(assignmentOf(assignment), {
    root: '/',
    environment: {},
    signal: new AbortController().signal,
    ...more,
  })

const WAITING = { is: 'waiting', for: 'person' }

test.each([
  ['at first', {}, WAITING],
  ['woken without an answer', { continued: { token: null, waited: 0 } }, WAITING],
  [
    'with an answer',
    { continued: { token: null, waited: 0, answer: { artifacts: [] } } },
    { is: 'returned', answer: { artifacts: [] } },
  ],
  [
    'with an answer that says nothing',
    { continued: { token: null, waited: 0, answer: null } },
    { is: 'returned', answer: null },
  ],
  [
    'cancelled',
    { signal: AbortSignal.abort(), continued: { token: null, waited: 0, answer: [] } },
    expect.objectContaining({ code: 'mission/runner-cancelled' }),
  ],
])('a person: %s', async (_, runContext, outcome) => {
  expect(await run(runContext)).toEqual(outcome)
})

test('a person who answers when the time of the mission is over is too late', async () => {
  expect(await run({}, { budget: { ms: 0, tokens: null } })).toMatchObject({
    code: 'mission/runner-timeout',
  })
})
