import { afterEach, beforeEach, expect, test } from 'vitest'
import { ANALYSIS, PRODUCT, textOf } from '../../../test/governed-pair.ts'
import {
  type GovernedRepository,
  openGovernedRepository,
} from '../../../test/governed-repository.ts'
import make from '../new.ts'
import send from '../send.ts'

let repository: GovernedRepository
beforeEach(async () => {
  repository = await openGovernedRepository()
})
afterEach(() => repository.remove())

const BETWEEN = { contract: 'agent-handoff', agent: PRODUCT, to: ANALYSIS }

test('a draft of an agent handoff is sent once its texts are filled in', async () => {
  const { path } = await make.run({ ...BETWEEN, draft: true }, repository.app())
  const filled = textOf(repository, path)
    .replace(/"TODO: The type of request[^"]*"/, '"analysis"')
    .replaceAll(/"TODO:[^"]*"/g, '"Count what users said"')
  repository.write(path, filled)
  const { answer, diagnostics } = await send.run({ path, to: 'outbox' }, repository.app())
  expect([answer, diagnostics]).toEqual(['sent', []])
})

test('an agent handoff needs its request alone, and is sent as it was made', async () => {
  const request = {
    type: 'analysis',
    description: 'Count what users said',
    input_data: { source: 'interviews' },
    expected_output: 'Counts per month',
  }
  const stdin = async () => new TextEncoder().encode(JSON.stringify({ context: { request } }))
  const made = await make.run({ ...BETWEEN, from: '-' }, repository.app({ stdin }))
  expect(made).toMatchObject({ accepted: true, missing: [] })
  const sent = await send.run({ path: made.path, to: 'outbox' }, repository.app())
  expect(sent).toMatchObject({ answer: 'sent', diagnostics: [] })
})
