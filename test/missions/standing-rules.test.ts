import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { rulesIn } from '../../src/contracts/index.ts'
import { entriesOf } from '../log-entries.ts'
import { PIPELINE_AGENT } from '../pipeline-agents.ts'
import { PipelineRuns } from '../pipeline-runs.ts'
import { handoffWithRules, RULE, RULE_PATH } from '../standing-rule.ts'
import { SOUND } from '../test-folder.ts'

const runs = new PipelineRuns(process.env)
const ORCHESTRATION = `workflow: { id: parcels, status: ACTIVE }
pipelines:
  ps:
    phases:
      - id: 1
        status: PENDING
        agents: [{ id: ps-critic-001, status: PENDING, description: Judge., session_context: { input: out/in.json, output: out/judged.json } }]
`

beforeAll(() => {
  // It keeps what it was given.
  const agent = PIPELINE_AGENT.replace(
    'const { session,',
    "writeFileSync('given.json', JSON.stringify(a))\nconst { session,",
  )
  runs.repository.write('agents/agent.mjs', agent)
  runs.repository.write(RULE_PATH, handoffWithRules())
})

test('a rule of a handoff reaches an agent of a pipeline word for word: handed over, in its prompts and its session context', async () => {
  runs.put(ORCHESTRATION)
  const text = JSON.stringify({ ...JSON.parse(SOUND), workflow_id: 'parcels' })
  runs.repository.write(`${runs.place}/out/in.json`, text)
  expect(await runs.run()).toMatchObject({ code: 0, complete: true })
  const given = JSON.parse(readFileSync(join(runs.root, 'given.json'), 'utf8'))
  expect(given.rules).toEqual([RULE])
  const entries = await entriesOf(runs.repository)
  const sent = entries.find(({ kind }) => kind === 'handoff-sent')
  const document = sent?.statement.predicate.document
  for (const holder of [given.prompt, given.session.input.document, document])
    expect(rulesIn(holder)).toMatchObject([{ id: 'R-003', scope: 'git push*', source: RULE }])
  expect(readFileSync(join(runs.root, `${runs.place}/out/in.json`), 'utf8')).toBe(text)
})
