import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestFolder, type TestFolder } from '../../../test/test-folder.ts'
import { unitsOf } from '../../session/index.ts'
import { openPipeline } from './open.ts'
import { setStatus } from './set-status.ts'

let folder: TestFolder
beforeEach(() => {
  folder = openTestFolder()
})
afterEach(() => folder.remove())

const WORDS = `workflow: { id: parcels, status: ACTIVE }
pipelines:
  ps:
    phases:
      - id: 1
        agents:
          - id: ps-critic
            status: PENDING
`

test.each([
  ['the document', WORDS, `owner: { name: ada }\n${WORDS}`],
  ['the workflow', 'ACTIVE', 'ACTIVE, owner: ada'],
  ['a pipeline', '  ps:\n', '  ps:\n    owner: ada\n'],
  ['a phase', '- id: 1\n', '- id: 1\n        owner: ada\n'],
  ['an agent', 'PENDING\n', 'PENDING\n            owner: ada\n'],
])('a key of its own in %s takes nothing from a pipeline', async (_, from, to) => {
  folder.write('ORCHESTRATION.yaml', WORDS.replace(from, to))
  const { standing, isPartial } = await openPipeline(undefined, folder.app())
  expect(isPartial).toBe(false)
  expect(unitsOf(standing).map(({ address, state }) => [address, state])).toEqual([
    ['ps/1', 'ready'],
    ['ps/1/ps-critic', 'ready'],
  ])
  const set = { target: 'ps-critic', status: 'COMPLETE' } as const
  expect(await setStatus(set, folder.app())).toMatchObject({ accepted: true })
})

test('what an error hides is not called unknown without a word of that', async () => {
  folder.write('ORCHESTRATION.yaml', WORDS.replace('PENDING', '*other'))
  const set = setStatus({ target: 'ps-critic', status: 'COMPLETE' }, folder.app())
  await expect(set).rejects.toMatchObject({ hint: expect.stringContaining('shows the error') })
})
