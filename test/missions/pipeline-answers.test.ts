import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PipelineRuns } from '../pipeline-runs.ts'

const runs = new PipelineRuns(process.env)
const { put, ran, run } = runs

/** Two agents, of which the second reads what the first has written. */
const TWO = `workflow: { id: parcels, status: ACTIVE }
pipelines:
  ps:
    phases:
      - id: 1
        status: PENDING
        agents: [{ id: ps-researcher, status: PENDING, description: FIRST, session_context: { output: out/found.json } }]
      - id: 2
        status: PENDING
        agents: [{ id: ps-critic, status: PENDING, session_context: { input: out/found.json, output: out/judged.json } }]
`

test.each([
  ['answers with', 'ANSWERS LEAKS'],
  ['writes', 'LEAKS'],
])(
  'a credential in a session context that an agent %s is refused, named by its place, and not passed on',
  async (_, words) => {
    put(TWO.replace('FIRST', words))
    const ended = await run()
    expect(ended).toMatchObject({ code: 1, complete: false })
    const place = { code: 'mission/secret', path: '/payload/key_findings/0/detail' }
    expect(ended.status.tasks[0].reason.diagnostics).toMatchObject([place])
    expect(JSON.stringify(ended)).not.toContain('ghp_a1B2')
    expect(ran()).toEqual(['ps-researcher', 'ps-researcher repair'])
    const isWritten = existsSync(join(runs.root, runs.place, 'out/found.json'))
    expect(isWritten).toBe(!words.includes('ANSWERS'))
  },
)

test('an agent is asked once more where its session context held a credential', async () => {
  put(TWO.replace('FIRST', 'ANSWERS LEAKS ONCE'))
  expect(await run()).toMatchObject({ code: 0, complete: true })
  expect(ran()).toEqual(['ps-researcher', 'ps-researcher repair', 'ps-critic'])
  for (const name of readdirSync(join(runs.root, runs.place, 'out')))
    expect(readFileSync(join(runs.root, runs.place, 'out', name), 'utf8')).not.toContain('ghp_')
})
