import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { faultsOf } from '../../test/output.ts'
import { openTestFolder, type TestFolder } from '../../test/test-folder.ts'
import { readRecords, sha256 } from '../workspace/index.ts'
import check from './check.ts'
import set from './pipeline-set.ts'

const PIPELINE = `# the plan
workflow: { id: parcels, status: ACTIVE, updated_at: null }
pipelines:
  ps: # first
    current_phase: 1
    status: PENDING
    progress_percent: 0
    phases:
      - id: 1
        status: PENDING # not yet
        started_at: null
        completed_at: null
        agents:
          - id: writer
            status: PENDING   # soon
            started_at: null
            completed_at: null
            session_context: { output: out/a.json }
          - { id: helper, status: PENDING, artifact: out/b.md }
      - id: 2
        status: PENDING
        agents: [{ id: reader, status: PENDING, session_context: { input: out/a.json } }]
barriers:
  handover: { status: PENDING, after_phases: [ps-phase-1], artifacts: { way: { path: out/c.md } } }
execution_queue:
  current_group: 1
  groups:
    - { id: 1, status: READY, agents: [writer, helper] }
    - { id: 2, status: BLOCKED, agents: [reader] }
checkpoints: { latest_id: CP-1, entries: [{ id: CP-1 }, { id: CP-2 }] }
metrics:
  phases_complete: 0
  phases_total: 2
  agents_executed: 0
  agents_percent: 0
  barriers_complete: 0
  progress_percentage: 0
  timing: { last_activity: null }
resumption: { last_checkpoint: CP-1 }
`

let folder: TestFolder
beforeEach(() => {
  folder = openTestFolder()
  folder.write('ORCHESTRATION.yaml', PIPELINE)
})
afterEach(() => folder.remove())

const read = () => readFileSync(join(folder.root, 'ORCHESTRATION.yaml'), 'utf8')
type Status = Parameters<typeof set.run>[0]['status']
const put = (target: string, status: Status, more: object = {}) =>
  set.run({ target, status, ...more }, folder.app())
const NOW = '2026-06-01T00:00:00Z'

/** The lines that are not as they were, without what is the same before them. */
function changed(before: string, after: string): string[] {
  const old = before.split('\n')
  return after
    .split('\n')
    .filter((line, i) => line !== old[i])
    .map(line => line.trim())
}

test('an agent starts, and its phase, its pipeline and the times with it', async () => {
  const output = await put('writer', 'IN_PROGRESS')
  expect(faultsOf('pipeline set', output)).toEqual([])
  expect(output).toMatchObject({
    accepted: true,
    address: 'ps/1/writer',
    from: 'PENDING',
    ready: [],
  })
  expect(changed(PIPELINE, read())).toEqual([
    `workflow: { id: parcels, status: ACTIVE, updated_at: "${NOW}" }`,
    'status: IN_PROGRESS',
    'status: IN_PROGRESS # not yet',
    `started_at: "${NOW}"`,
    'status: IN_PROGRESS   # soon',
    `started_at: "${NOW}"`,
    'checkpoints: { latest_id: CP-2, entries: [{ id: CP-1 }, { id: CP-2 }] }',
    `timing: { last_activity: "${NOW}" }`,
    'resumption: { last_checkpoint: CP-2 }',
  ])
})

test('from start to end, every figure stays true and everything becomes ready in its turn', async () => {
  for (const path of ['out/a.json', 'out/b.md', 'out/c.md']) folder.write(path, '{}')
  const steps: [string, Status, string[]][] = [
    ['ps/1/writer', 'IN_PROGRESS', []],
    ['writer', 'COMPLETE', []],
    ['1/helper', 'COMPLETE', ['handover']],
    ['handover', 'COMPLETE', ['ps/2/reader']],
    ['reader', 'IN_PROGRESS', []],
    ['ps.phase.2/reader', 'COMPLETE', []],
  ]
  for (const [target, status, ready] of steps) {
    const output = await put(target, status)
    expect(output).toMatchObject({ accepted: true, refused: [] })
    expect(output.ready.map(({ address }) => address)).toEqual(ready)
    const { documents } = await check.run({ paths: ['ORCHESTRATION.yaml'] }, folder.app())
    expect(documents[0]?.diagnostics).toEqual([])
  }
  expect(read()).toContain('current_phase: 2\n    status: COMPLETE\n    progress_percent: 100\n')
  expect(read()).toContain(
    'phases_complete: 2\n  phases_total: 2\n  agents_executed: 3\n  agents_percent: 100',
  )
  expect(read()).toContain('current_group: 2\n')
  expect(read().match(/#/g)).toHaveLength(PIPELINE.match(/#/g)?.length ?? 0)
})

test('what is reopened takes its phase and the figures back', async () => {
  for (const path of ['out/a.json', 'out/b.md']) folder.write(path, '{}')
  await put('writer', 'COMPLETE')
  await put('helper', 'COMPLETE')
  expect(read()).toContain('phases_complete: 1')
  await put('writer', 'PENDING')
  expect(read()).toContain('phases_complete: 0')
  expect(read()).toContain('agents_executed: 1')
  expect(read()).toContain('status: IN_PROGRESS # not yet')
  expect(read()).not.toMatch(/completed_at: "/)
})

test.each<[string, string, Status, (text: string) => string, string, RegExp]>([
  [
    'to start what waits',
    'reader',
    'IN_PROGRESS',
    text => text,
    'pipeline/ready',
    /ps\/1 is PENDING/,
  ],
  [
    'to complete what waits',
    'ps/2',
    'COMPLETE',
    text => text,
    'pipeline/ready',
    /ps\/1 is PENDING/,
  ],
  [
    'to complete an agent without its output',
    'writer',
    'COMPLETE',
    text => text,
    'pipeline/outputs-exist',
    /out\/a.json/,
  ],
  [
    'to complete an agent without its artifact',
    'helper',
    'COMPLETE',
    text => text,
    'pipeline/outputs-exist',
    /out\/b.md/,
  ],
  [
    'to complete a phase with open agents',
    'ps/1',
    'COMPLETE',
    text => text,
    'pipeline/agents-agree',
    /writer is PENDING/,
  ],
  [
    'to set a phase back while its agents work',
    'ps/1',
    'PENDING',
    text => text.replace('id: helper, status: PENDING', 'id: helper, status: IN_PROGRESS'),
    'pipeline/agents-agree',
    /helper is IN_PROGRESS/,
  ],
  [
    'to set a phase back that all of its agents completed',
    'ps/1',
    'IN_PROGRESS',
    text => text.replaceAll(/(writer|helper)([,\s]+status:) PENDING/g, '$1$2 COMPLETE'),
    'pipeline/agents-agree',
    /writer is COMPLETE/,
  ],
  [
    'to start anything in a paused workflow',
    'writer',
    'IN_PROGRESS',
    text => text.replace('ACTIVE', 'PAUSED'),
    'pipeline/ready',
    /PAUSED/,
  ],
  [
    'to set what is at fault',
    'writer',
    'FAILED',
    text => text.replace('status: PENDING   # soon', 'status: SOON'),
    'pipeline/sound-document',
    /the document is invalid here/,
  ],
  [
    'to start what depends on nothing',
    'writer',
    'IN_PROGRESS',
    text => text.replace('session_context', 'depends_on: [nobody]\n            session_context'),
    'pipeline/ready',
    /nobody/,
  ],
  [
    'to complete what is called a path out of here',
    'writer',
    'COMPLETE',
    text => text.replace('out/a.json }', '../../etc/passwd }'),
    'pipeline/outputs-exist',
    /passwd/,
  ],
])('it is refused %s', async (_, target, status, edit, code, message) => {
  const text = edit(PIPELINE)
  folder.write('ORCHESTRATION.yaml', text)
  const output = await put(target, status)
  expect(faultsOf('pipeline set', output)).toEqual([])
  expect(set.failed?.(output)).toBe(true)
  expect(output).toMatchObject({ accepted: false, changes: [], record: null })
  expect(output.refused.map(refusal => refusal.code)).toContain(code)
  expect(output.refused.map(refusal => refusal.message).join('\n')).toMatch(message)
  expect(read()).toBe(text)
  expect(readRecords(folder.root).records).toEqual([])
})

test('a document with errors elsewhere can go on, and its other errors stay', async () => {
  const text = PIPELINE.replace('id: reader', 'id: reader, depends_on: nobody')
  folder.write('ORCHESTRATION.yaml', text)
  expect(await put('writer', 'IN_PROGRESS')).toMatchObject({ accepted: true })
  expect(read()).toContain('nobody')
})

test('what is blocked in words is free again with its new status', async () => {
  folder.write(
    'ORCHESTRATION.yaml',
    PIPELINE.replace(
      'status: PENDING   # soon',
      'status: BLOCKED # soon\n            blocked_by: no access',
    ),
  )
  const output = await put('writer', 'PENDING')
  expect(output).toMatchObject({ accepted: true, ready: [{ address: 'ps/1/writer' }] })
  expect(read()).toContain('blocked_by: null')
})

test('the same status again writes nothing', async () => {
  folder.write('ORCHESTRATION.yaml', PIPELINE.replaceAll('CP-1', 'CP-2'))
  folder.write('ORCHESTRATION.yaml', read().replace('entries: [{ id: CP-2 }, ', 'entries: ['))
  const before = read()
  expect(await put('writer', 'PENDING')).toMatchObject({
    accepted: true,
    changes: [],
    record: null,
  })
  expect(read()).toBe(before)
})

test('a record tells what was set, and of which bytes', async () => {
  const output = await put('writer', 'IN_PROGRESS')
  const { records } = readRecords(folder.root, 'urn:waybill:record:pipeline-set')
  expect(records).toMatchObject([
    {
      at: NOW,
      subject: { path: 'ORCHESTRATION.yaml', sha256: sha256(read()) },
      before: sha256(PIPELINE),
      address: 'ps/1/writer',
      from: 'PENDING',
      to: 'IN_PROGRESS',
    },
  ])
  expect(output).toMatchObject({ before: sha256(PIPELINE), after: sha256(read()) })
})

test.each([
  ['the line ends of Windows', (text: string) => text.replaceAll('\n', '\r\n')],
  ['a byte order mark', (text: string) => `\ufeff${text}`],
])('%s stay', async (_, edit) => {
  folder.write('ORCHESTRATION.yaml', edit(PIPELINE))
  await put('writer', 'IN_PROGRESS')
  folder.write('again.yaml', PIPELINE)
  await set.run({ target: 'writer', status: 'IN_PROGRESS', file: 'again.yaml' }, folder.app())
  expect(read()).toBe(edit(readFileSync(join(folder.root, 'again.yaml'), 'utf8')))
})

test('JSON keeps its indentation', async () => {
  const text = JSON.stringify(
    { pipelines: { p: { phases: [{ id: 1, agents: [{ id: 'a' }] }] } } },
    null,
    4,
  )
  folder.write('p.json', text)
  await put('a', 'IN_PROGRESS', { file: 'p.json' })
  expect(readFileSync(join(folder.root, 'p.json'), 'utf8')).toBe(
    text.replace('"id": "a"', '"id": "a",\n                            "status": "IN_PROGRESS"'),
  )
})

test.each<[string, string, Status, object, string, RegExp]>([
  ['an unknown name', 'writr', 'COMPLETE', {}, 'not-found', /there is no 'writr'/],
  ['an ambiguous name', 'agent', 'COMPLETE', {}, 'usage', /'agent' matches 2 units/],
  [
    'a status that barriers do not have',
    'handover',
    'FAILED',
    {},
    'usage',
    /barrier cannot be FAILED/,
  ],
  [
    'another digest',
    'writer',
    'IN_PROGRESS',
    { expect: sha256('x') },
    'conflict',
    /has changed/,
  ],
])('a call fails with %s', async (_, target, status, more, code, message) => {
  const text = PIPELINE.replace('id: helper', 'id: agent').replace('id: reader', 'id: agent')
  folder.write('ORCHESTRATION.yaml', text)
  const call = put(target, status, more)
  await expect(call).rejects.toThrow(message)
  await expect(call).rejects.toMatchObject({ code })
  expect(read()).toBe(text)
})

test('an expected digest is let through', async () => {
  expect(
    await put('writer', 'IN_PROGRESS', { expect: sha256(PIPELINE).toUpperCase() }),
  ).toMatchObject({ accepted: true })
})
