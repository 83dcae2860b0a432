import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestFolder, type TestFolder } from '../../../test/test-folder.ts'
import graph from '../../operations/pipeline-graph.ts'
import next from '../../operations/pipeline-next.ts'
import run from '../../operations/pipeline-run.ts'
import set from '../../operations/pipeline-set.ts'
import status from '../../operations/pipeline-status.ts'
import { style } from '../terminal.ts'
import { widthOf } from './layout.ts'
import * as graphText from './pipeline-graph.ts'
import * as nextText from './pipeline-next.ts'
import * as runText from './pipeline-run.ts'
import * as setText from './pipeline-set.ts'
import * as statusText from './pipeline-status.ts'

const PIPELINE = `workflow: { id: parcels, status: ACTIVE }
pipelines:
  ps:
    phases:
      - id: 1
        name: Research
        agents:
          - { id: writer, name: Scans, status: PENDING, session_context: { output: a.json } }
          - { id: critic, status: PENDING, depends_on: writer, session_context: { input: x.json } }
      - { id: 2, agents: [{ id: reader, session_context: { input: a.json } }] }
barriers: { handover: { after_phases: [ps.phase.1], artifacts: { out: { path: c.md } } } }
metrics: { phases_total: 3, agents_executed: 0 }
`

let folder: TestFolder
beforeEach(() => {
  folder = openTestFolder()
  folder.write('ORCHESTRATION.yaml', PIPELINE)
  folder.write('x.json', '{}')
})
afterEach(() => folder.remove())

const plain = style(false)

test('the status is a tree with reasons, then figures and what to do next', async () => {
  const app = folder.app()
  const text = statusText.text(await status.run({}, app), plain, app, false)
  expect(text).toBe(`ORCHESTRATION.yaml  parcels  ACTIVE

ps
  ● phase 1   ready    Research
    ● writer  ready    Scans
    ○ critic  waiting
      └ ps/1/writer is PENDING
  ○ phase 2   waiting
    └ ps/1 is not complete
    └ handover is not complete
    ○ reader  waiting
      └ its input a.json does not exist yet; ps/1/writer has to write it

barriers
  ○ handover  waiting
    └ ps/1 is not complete

phases    0 of 2 done     1 ready, 1 waiting
agents    0 of 3 done     1 ready, 2 waiting
barriers  0 of 1 done     1 waiting

  FIGURE                 STATED  ACTUAL
! /metrics/phases_total  3       2

waybill pipeline next shows what may start now`)
})

test('what may start is named with its files and the command', async () => {
  const app = folder.app()
  expect(nextText.text(await next.run({}, app), plain, app, false)).toBe(`● ps/1/writer  Scans
    writes  a.json

waybill pipeline set ps/1/writer IN_PROGRESS when it starts`)
  expect(nextText.text(await next.run({}, app), plain, app, true)).toBe('ps/1/writer')
})

test('a suggested command names the file that is not the nearest, and no shell does anything with what stands in it', async () => {
  folder.write("it's/ORCHESTRATION.yaml", PIPELINE.replaceAll('writer', '"$(x)"'))
  const app = folder.app()
  const file = join(folder.root, "it's/ORCHESTRATION.yaml")
  const command = "waybill pipeline set 'ps/1/$(x)' IN_PROGRESS"
  const suggested = async (cwd: string) => {
    const there = { ...app, cwd }
    return nextText.text(await next.run({ file }, there), plain, there, false)
  }
  expect(await suggested(app.cwd)).toContain(`${command} --file 'it'\\''s/ORCHESTRATION.yaml' when`)
  expect(await suggested(join(folder.root, "it's"))).toContain(`${command} when`)
  folder.write("it's/ORCHESTRATION.yaml", PIPELINE.replace('id: parcels', 'id: 7'))
  expect(runText.text(await run.run({ file }, app), plain, app, false)).toContain(
    "run waybill check 'it'\\''s/ORCHESTRATION.yaml'",
  )
  const over = PIPELINE.replaceAll('status: PENDING', 'status: COMPLETE')
  folder.write('it/ORCHESTRATION.yaml', over.replace('name: R', 'status: PENDING\n        name: R'))
  const { notes } = await status.run({ file: join(folder.root, 'it/ORCHESTRATION.yaml') }, app)
  const hint = 'waybill pipeline set ps/1 COMPLETE --file it/ORCHESTRATION.yaml'
  expect(notes).toContainEqual(expect.objectContaining({ address: 'ps/1', hint }))
})

test('where nothing may start, it says why', async () => {
  const app = folder.app()
  folder.write('ORCHESTRATION.yaml', PIPELINE.replace('ACTIVE', 'PAUSED'))
  const text = nextText.text(await next.run({}, app), plain, app, false)
  expect(text).toContain('■ nothing may start\n  ■ ps/1/writer\n    └ the workflow is PAUSED')
})

test('everything done is said to be done', async () => {
  const app = folder.app()
  folder.write(
    'ORCHESTRATION.yaml',
    'pipelines: { p: { phases: [{ id: 1, status: COMPLETE }] } }\n',
  )
  const done = '✓ everything'
  expect(nextText.text(await next.run({}, app), plain, app, false)).toContain(done)
  expect(statusText.text(await status.run({}, app), plain, app, false)).toContain(done)
})

test('the graph lists what comes before what', async () => {
  const app = folder.app()
  const text = graphText.text(await graph.run({}, app), plain, app, true)
  expect(text).toBe(`● ps/1
● ps/1/writer  ← ps/1
○ ps/1/critic  ← ps/1/writer
○ ps/2         ← ps/1/critic, handover
○ ps/2/reader  ← ps/2
○ handover     ← ps/1/critic`)
  const drawn = await graph.run({ as: 'mermaid' }, app)
  expect(graphText.text(drawn, plain, app, false)).toMatch(/^flowchart LR\n/)
})

test('a refusal says what to do first', async () => {
  const app = folder.app()
  const output = await set.run({ target: 'writer', status: 'COMPLETE' }, app)
  expect(setText.text(output, plain, app, false)).toBe(`refused[pipeline/outputs-exist]
  ps/1/writer cannot be COMPLETE: a.json, which it writes, does not exist
  fix: write the file (relative to the repository root or to this document), or
       correct its path

ORCHESTRATION.yaml was not written`)
})

test('a status that was set is reported with what followed and what is ready now', async () => {
  const app = folder.app()
  folder.write('a.json', '{}')
  const output = await set.run({ target: 'writer', status: 'COMPLETE' }, app)
  expect(
    setText.text(output, plain, app, false),
  ).toBe(`✓ ps/1/writer PENDING → COMPLETE  ORCHESTRATION.yaml
    /metrics/phases_total     3 → 2
    /metrics/agents_executed  0 → 1

ready now
  ● ps/1/critic`)
  expect(setText.text(output, plain, app, true)).toBe(
    '✓ ps/1/writer PENDING → COMPLETE  ORCHESTRATION.yaml',
  )
})

test('a faulty document is reported first, and long names break no line', async () => {
  const app = folder.app()
  folder.write(
    'ORCHESTRATION.yaml',
    PIPELINE.replace('status: PENDING', 'status: LATER').replaceAll('handover', 'h'.repeat(90)),
  )
  const text = statusText.text(await status.run({}, app), plain, app, false)
  expect(text).toContain('✗ ORCHESTRATION.yaml has an error\n  8:48  ')
  expect(text).toContain('waybill check ORCHESTRATION.yaml shows the fixes')
  const reasons = text.split('\n').filter(line => line.includes('└'))
  expect(Math.max(...reasons.map(widthOf))).toBeLessThanOrEqual(100)
  expect(nextText.text(await next.run({}, app), plain, app, false)).toContain(
    'nothing may start until',
  )
})

test('the decisive fault comes first, and no figure is stated that was not counted', async () => {
  const faults = [1, 2, 3, 4, 5, 6].map(id => `  - { id: b${id}, status: DONE }\n`).join('')
  const whole = PIPELINE.replace(/barriers: .*\n/, '')
  folder.write(
    'ORCHESTRATION.yaml',
    `barriers:\n${faults}${whole.replace('pipelines:', 'piplines:')}`,
  )
  const output = await status.run({}, folder.app())
  expect(output).toMatchObject({ partial: true, figures: [] })
  const [, , , first] = statusText.text(output, plain, folder.app(), false).split('\n')
  expect(first).toContain("'pipelines' is missing, but there is 'piplines'")
  folder.write('ORCHESTRATION.yaml', `barriers:\n${faults}${whole}`)
  expect((await status.run({}, folder.app())).figures).toMatchObject([
    { path: '/metrics/phases_total', stated: 3, least: 2, most: 2, agrees: false },
    { path: '/metrics/agents_executed', agrees: true },
  ])
})

test('quietly a run says only why a pipeline is not complete', async () => {
  const app = folder.app()
  folder.write(
    'ORCHESTRATION.yaml',
    'pipelines: { p: { phases: [{ id: 1, status: COMPLETE }] } }\n',
  )
  const complete = await run.run({}, app)
  expect(runText.live()(complete, plain, false)).toContain('✓ ORCHESTRATION.yaml is complete')
  expect(runText.live()(complete, plain, true)).toBe('')
  folder.write('ORCHESTRATION.yaml', PIPELINE.replace('status: PENDING', 'status: LATER'))
  const rejected = await run.run({}, app)
  expect(runText.live()(rejected, plain, true)).toContain('ORCHESTRATION.yaml is rejected')
})
