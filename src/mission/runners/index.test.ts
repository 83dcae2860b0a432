import { expect, test } from 'vitest'
import { assignmentOf } from '../../../test/runner-suite.ts'
import { runnerFor } from './index.ts'

const MISSIONS = { orchestrator: 'o', roles: {}, runners: {} }
const run = async (config: Parameters<typeof runnerFor>[0]) =>
  (await runnerFor(config, MISSIONS)).run(assignmentOf(), {
    root: '/',
    environment: {},
    signal: new AbortController().signal,
  })

test.each([
  [{ runner: 'command', command: ['/no/such/program'] }, { code: 'mission/runner-missing' }],
  [{ runner: 'model', route: 'large' }, { code: 'mission/runner-missing' }],
  [{ runner: 'a2a', url: 'http://127.0.0.1:1/' }, { code: 'mission/runner-unavailable' }],
  [{ runner: 'human' }, { is: 'waiting', for: 'person' }],
] as const)('%j is run by what it names', async (config, outcome) => {
  expect(await run(structuredClone(config) as Parameters<typeof run>[0])).toMatchObject(outcome)
})
