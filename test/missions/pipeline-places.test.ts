import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { PipelineRuns } from '../pipeline-runs.ts'

// What a check refuses is refused at the last moment too.
const runs = new PipelineRuns(
  process.env,
  'rules: { orchestration/no-reserved-paths: { severity: warning, reason: to see what a run does } }\n',
)
const { ran, put, pipeline, run } = runs

/** One agent that answers with its context. */
const ANSWERING = `workflow: { id: parcels, status: ACTIVE }
pipelines:
  ps:
    phases:
      - id: 1
        status: PENDING
        agents: [{ id: ps-researcher, status: PENDING, description: ANSWERS, session_context: { output: OUTPUT } }]
`

const RESERVED = 'orchestration/no-reserved-paths'
const TAKEN = 'pipeline/reserved-place'

test.each([
  ['.git/config', RESERVED, 'folder of Git'],
  ['.GIT/x', RESERVED, 'folder of Git'],
  ['.waybill/keys/origin', RESERVED, 'folder of Waybill'],
  ['waybill.yaml', TAKEN, 'is the configuration'],
  ['.waybill-baseline.json', TAKEN, 'is the baseline'],
  ['missions/templates/new.yaml', TAKEN, 'templates of missions'],
  ['ORCHESTRATION.yaml', TAKEN, 'the orchestration file itself'],
  ['prompt-lock.json', TAKEN, 'something else than a session context'],
  ['prompt.md', TAKEN, 'something else than a session context'],
])('an answer is not written over %s, nor into such a place', async (path, code, message) => {
  const isPlaced = !/^(?:\.git|\.waybill|waybill|missions)/i.test(path)
  const output = isPlaced ? `${runs.place}/${path}` : path
  const target = join(runs.root, output)
  if (isPlaced) {
    mkdirSync(dirname(target), { recursive: true })
    // An example in a prompt does not make it a context.
    writeFileSync(
      target,
      '# A prompt\n\n```json\n{"source_agent": {}, "payload": {}, "session_id": ""}\n```\n',
    )
  }
  put(ANSWERING.replace('OUTPUT', output))
  const now = () => (existsSync(target) ? readFileSync(target, 'utf8') : 'nothing')
  const before = now()
  const ended = await run()
  // What stands around a context is looked at only when there is an answer.
  const isLate = path === 'prompt.md'
  expect(ran()).toEqual(isLate ? ['ps-researcher'] : [])
  expect(ended).toMatchObject({ code: 1, complete: false })
  const { reason } = ended.status.tasks[0]
  expect(isLate ? reason.diagnostics[0] : reason).toMatchObject({
    code,
    message: expect.stringContaining(message),
  })
  // Statuses in the orchestration file are set.
  if (path === 'ORCHESTRATION.yaml') expect(now()).toContain('pipelines:')
  else expect(now()).toBe(before)
  expect(readdirSync(runs.root)).not.toContain('.GIT')
})

test('an agent is not given what lies among private keys, as its input or its file', async () => {
  const secret = '.waybill/keys/context.json'
  writeFileSync(join(runs.root, secret), '{}')
  for (const key of ['session_context: { input: KEY }', 'artifact: KEY']) {
    put(ANSWERING.replace('session_context: { output: OUTPUT }', key.replace('KEY', secret)))
    const ended = await run()
    expect(ended.status.tasks[0].reason).toMatchObject({ code: RESERVED })
  }
  expect(ran()).toEqual([])
})

test.each([
  ['into templates by a link', 'lnk/x.yaml', 'templates of missions'],
  ['over a link that leads nowhere', 'nowhere.json', 'a link that leads nowhere'],
  ['over a file that is too large', 'large.json', 'cannot be read'],
])('an answer is not written %s', async (_, name, message) => {
  mkdirSync(join(runs.root, runs.place), { recursive: true })
  mkdirSync(join(runs.root, 'missions/templates'), { recursive: true })
  const here = (path: string) => join(runs.root, runs.place, path)
  symlinkSync('../missions/templates', here('lnk'))
  symlinkSync('gone.json', here('nowhere.json'))
  writeFileSync(here('large.json'), Buffer.alloc(8 * 1024 * 1024 + 1, ' '))
  put(ANSWERING.replace('OUTPUT', `${runs.place}/${name}`))
  const ended = await run()
  expect(ended.status.tasks[0].reason).toMatchObject({
    code: TAKEN,
    message: expect.stringContaining(message),
  })
  expect(ran()).toEqual([])
  expect(existsSync(here('lnk/x.yaml')) || existsSync(here('gone.json'))).toBe(false)
})

test('what a person adds to a context stays, and the agent is asked once', async () => {
  const output = `${runs.place}/a.yaml`
  put(ANSWERING.replace('OUTPUT', output))
  expect(await run()).toMatchObject({ code: 0 })
  const whole = readFileSync(join(runs.root, output), 'utf8')
  for (const words of [`# mine\n${whole}`, `${whole}---\nmine: true\n`]) {
    runs.repository.write(output, words)
    runs.repository.write('ran.txt', '')
    put(`# ${words.length}\n${ANSWERING.replace('OUTPUT', output)}`)
    const ended = await run()
    expect(ended.status.tasks[0].reason.diagnostics[0].code).toBe(TAKEN)
    expect(readFileSync(join(runs.root, output), 'utf8')).toBe(words)
    expect(ran()).toEqual(['ps-researcher'])
  }
})

test.each([
  ['complete', 'a.json', 0],
  ['not complete', '../.git/config', 1],
])('that a pipeline is %s in the end is told once', async (end, output, code) => {
  put(ANSWERING.replace('OUTPUT', join(runs.place, output)))
  const ran = await pipeline('run')
  expect(ran.code).toBe(code)
  expect(ran.out.split(`ORCHESTRATION.yaml is ${end}\n`)).toHaveLength(2)
  expect(ran.out.match(/^[✓✗] [0-9a-f-]{36} /gm)).toHaveLength(1)
})

test('a context of an earlier run is replaced, in Markdown too', async () => {
  for (const name of ['a.json', 'a.md', 'a.markdown']) {
    const output = `${runs.place}/${name}`
    put(ANSWERING.replace('OUTPUT', output))
    expect(await run()).toMatchObject({ code: 0 })
    const first = readFileSync(join(runs.root, output), 'utf8')
    put(`# again\n${ANSWERING.replace('OUTPUT', output)}`)
    expect(await run()).toMatchObject({ code: 0 })
    expect(readFileSync(join(runs.root, output), 'utf8')).not.toBe(first)
  }
})
