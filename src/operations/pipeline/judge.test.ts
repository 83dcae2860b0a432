import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestFolder, type TestFolder } from '../../../test/test-folder.ts'
import { versionAt } from './contexts.ts'
import { type Judging, judgeAnswer } from './judge.ts'

let folder: TestFolder
beforeEach(() => {
  folder = openTestFolder()
  folder.write('out/found.json', JSON.stringify(CONTEXT))
  folder.write('out/found.md', 'found')
})
afterEach(() => folder.remove())

const CONTEXT = {
  ...{ schema_version: '1.0.0', session_id: 's-1', workflow_id: 'parcels' },
  source_agent: { id: 'ps-researcher', family: 'ps' },
  target_agent: { id: 'ps-analyst', family: 'ps' },
  timestamp: '2026-02-10T09:00:00Z',
  payload: { key_findings: [{ id: 'F-001', summary: 'x' }], confidence: { overall: 0.7 } },
}
const RESULT = {
  ...{ output_text: 'done', structured_output: {}, citations: [], confidence: 1 },
  tool_trace_refs: [],
}

const judged = (answer: unknown, before: Judging['before'] = {}) =>
  judgeAnswer(answer, {
    ...{ agent: 'ps-researcher-001', workflow: 'parcels', before },
    ...{ output: 'out/found.json', artifact: 'out/found.md', app: folder.app() },
    misplaced: async () => undefined,
  })

/** The codes and messages of what is wrong with an answer of the agent. */
async function faultsOf(answer: unknown, before?: Judging['before']) {
  const found = await judged(answer, before)
  const faults = 'faults' in found ? found.faults : []
  return faults.map(({ code, path, message }) => `${code} ${path}: ${message}`)
}

test('what an agent has written is taken as it stands', async () => {
  expect(await faultsOf(RESULT)).toEqual([])
})

test('an agent may look at the clock for its file, and again for its answer', async () => {
  expect(await faultsOf({ ...CONTEXT, timestamp: '2026-02-10T09:00:01Z' })).toEqual([])
})

test('an agent that has written another context than it answers with may answer with a result', async () => {
  expect(await judged({ ...CONTEXT, session_id: 's-2' })).toMatchObject({
    faults: [{ code: 'pipeline/reserved-place', hint: expect.stringContaining('worker_result') }],
    isFinal: false,
  })
  expect(await faultsOf({ ...RESULT, structured_output: { session_context: CONTEXT } })).toEqual([])
})

test.each(['out/found.json', 'out/found.md'])(
  'that %s is as it was before an agent began does not count as its work',
  async path => {
    const version = versionAt(path, folder.app())
    const before = path.endsWith('.md') ? { artifact: version } : { output: version }
    const stale = `pipeline/outputs-exist : '${path}' has not changed since the agent started`
    expect(await faultsOf(RESULT, before)).toEqual([stale])
    folder.write(
      path,
      path.endsWith('.md') ? 'more' : JSON.stringify({ ...CONTEXT, session_id: 's-2' }),
    )
    expect(await faultsOf(RESULT, before)).toEqual([])
  },
)

test.each([
  [
    'of another workflow',
    { workflow_id: 'letters' },
    "/workflow_id: the context is of the workflow 'letters'",
  ],
  [
    'of another agent',
    { source_agent: { id: 'ps-critic', family: 'ps' } },
    "/source_agent/id: the context is of 'ps-critic'",
  ],
])('a context %s is refused, whether it is written or answered', async (_, change, message) => {
  const foreign = { ...CONTEXT, ...change }
  rmSync(join(folder.root, 'out/found.json'))
  expect(await faultsOf(foreign)).toEqual([`pipeline/foreign-context ${message}`])
  folder.write('out/found.json', JSON.stringify(foreign))
  expect(await faultsOf(RESULT)).toEqual([`pipeline/foreign-context ${message}`])
})
