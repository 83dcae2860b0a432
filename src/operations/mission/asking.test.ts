import { expect, test } from 'vitest'
import { bareApp } from '../../../test/bare-app.ts'
import missionRun from '../mission-run.ts'
import missionSubmit from '../mission-submit.ts'
import pipelineRun from '../pipeline-run.ts'
import { askedBy } from './asking.ts'

/** A program whose database cannot be asked. */
const app = {
  ...bareApp(import.meta.dirname),
  databaseUrl: 'postgres://nobody@127.0.0.1:1/nothing',
}
const made = { template: 'brief', goal: 'Find out' }

test('a person is named without the blanks around the name', () => {
  expect(askedBy(' Ada Lovelace\n', app)).toBe('Ada Lovelace')
})

test('a goal that holds what is not seen is refused, and so is a name that fills a page', async () => {
  for (const goal of ['zero\u200bwidth', 'a\u001b[31mred', 'left\u202eright'])
    await expect(missionRun.run({ ...made, goal }, app)).rejects.toMatchObject({
      code: 'usage',
      message: 'the goal contains invisible characters',
    })
  const long = missionRun.run({ ...made, by: 'a'.repeat(257) }, app)
  await expect(long).rejects.toThrow('longer than 256 characters')
})

test.each([
  ['mission run', (by: string) => missionRun.run({ ...made, by }, app)],
  ['mission submit', (by: string) => missionSubmit.run({ ...made, by }, app)],
  ['pipeline run', (by: string) => pipelineRun.run({ by }, app)],
])('%s refuses a name that names no person, before a database is asked', async (_, run) => {
  await expect(run(' \t')).rejects.toMatchObject({ code: 'usage', message: '--by is blank' })
  const secret = 'ghp_0123456789abcdefghijABCDEFGHIJ012345'
  const fault = await run(secret).catch((error: unknown) => error)
  expect(fault).toMatchObject({ code: 'usage' })
  expect(JSON.stringify(fault) + String(fault)).not.toContain(secret)
})
