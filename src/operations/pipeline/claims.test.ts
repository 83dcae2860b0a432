import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestFolder, type TestFolder } from '../../../test/test-folder.ts'
import { sha256 } from '../../workspace/index.ts'
import { judgeAnswer } from './judge.ts'

let folder: TestFolder
beforeEach(() => {
  folder = openTestFolder()
})
afterEach(() => folder.remove())

const judged = (answer: unknown) =>
  judgeAnswer(answer, {
    agent: 'ps-researcher',
    workflow: null,
    output: null,
    artifact: 'found.md',
    before: {},
    app: folder.app(),
    misplaced: async () => undefined,
  })

test('only what was found of files is said of them, in every result of an answer', async () => {
  folder.write('found.md', 'found')
  const files = { artifact: { path: 'found.md', sha256: sha256('found') } }
  const claimed = { artifact: { path: 'waybill.yaml', sha256: 'a'.repeat(64) } }
  const result = { schema_name: 'worker_result', structured_output: { n: 1, files: claimed } }
  const other = { schema_name: 'research_artifact', structured_output: { files: claimed } }
  expect(await judged({ artifacts: [result, other, { ...result }] })).toEqual({
    keep: expect.any(Function),
    answer: {
      artifacts: [
        { ...result, structured_output: { n: 1, files } },
        other,
        { ...result, structured_output: { n: 1 } },
      ],
    },
  })
})

test.each([['words'], [null], [['a list']]])(
  'a structured output that is %j is left for the check to refuse',
  async structured_output => {
    folder.write('found.md', 'found')
    const answer = { output_text: 'done', structured_output }
    expect(await judged(answer)).toMatchObject({ answer })
  },
)

test('others go on while a large file is hashed', async () => {
  const large = Buffer.alloc(64 * 1024 * 1024, 'waybill')
  folder.write('found.md', large)
  let turns = 0
  let isOver = false
  const others = (async () => {
    for (; !isOver; turns++) await pause(1)
  })()
  expect(await judged({ structured_output: {} })).toMatchObject({
    answer: { structured_output: { files: { artifact: { sha256: sha256(large) } } } },
  })
  isOver = true
  await others
  expect(turns).toBeGreaterThan(5)
})
