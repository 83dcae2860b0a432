import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import missionRetry from '../../src/operations/mission-retry.ts'
import { PipelineRuns } from '../pipeline-runs.ts'
import { comesTrue } from '../processes.ts'

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
  ['missions/templates/new.yaml', TAKEN, 'mission templates'],
  ['ORCHESTRATION.yaml', TAKEN, 'the orchestration file itself'],
  ['prompt-lock.json', TAKEN, 'something other than a session context'],
  ['prompt.md', TAKEN, 'something other than a session context'],
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
  expect(ran()).toEqual([])
  expect(ended).toMatchObject({ code: 1, complete: false })
  expect(ended.status.tasks[0].reason).toMatchObject({
    code,
    message: expect.stringContaining(message),
  })
  // Statuses in the orchestration file are set.
  if (path === 'ORCHESTRATION.yaml') expect(now()).toContain('pipelines:')
  else expect(now()).toBe(before)
  expect(readdirSync(runs.root)).not.toContain('.GIT')
})

test.each([
  ['./', 'a.json', 1],
  ['rules/', '../rules/a.json', 1],
  ['rules/', '../rules-of-others/a.json', 0],
])('where policies stand in %s, an answer in %s ends with %i', async (policies, path, code) => {
  const config = readFileSync(join(runs.root, 'waybill.yaml'), 'utf8')
  mkdirSync(join(runs.root, 'rules'), { recursive: true })
  runs.repository.write('waybill.yaml', `${config}policies: ${policies}\n`)
  put(ANSWERING.replace('OUTPUT', join(runs.place, path)))
  const ended = await run()
  runs.repository.write('waybill.yaml', config)
  expect(ended).toMatchObject({ code, complete: code === 0 })
  expect(ran()).toHaveLength(code === 0 ? 1 : 0)
  if (code === 0) return
  expect(ended.status.tasks[0].reason).toMatchObject({
    code: TAKEN,
    message: expect.stringContaining('is the folder of the policies'),
  })
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
  ['into templates by a link', 'lnk/x.yaml', 'mission templates'],
  ['over a broken link', 'nowhere.json', 'a broken link'],
  ['over a file that is too large', 'large.json', 'cannot be read'],
  ['over a pipe', 'pipe.json', 'is not a file'],
])('an answer is not written %s', async (_, name, message) => {
  mkdirSync(join(runs.root, runs.place), { recursive: true })
  mkdirSync(join(runs.root, 'missions/templates'), { recursive: true })
  const here = (path: string) => join(runs.root, runs.place, path)
  symlinkSync('../missions/templates', here('lnk'))
  symlinkSync('gone.json', here('nowhere.json'))
  execFileSync('mkfifo', [here('pipe.json')])
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

test.each([
  [
    'a.yaml',
    (whole: string) => [`# mine\n${whole}`, `${whole}# mine\n`, `${whole}---\nmine: true\n`],
  ],
  ['a.md', (whole: string) => [`${whole}\nThis is mine.\n`, `${whole}\n${whole}`]],
])(
  'what a person adds to the context in %s stays, and is found before an agent is asked',
  async (name, added) => {
    const output = `${runs.place}/${name}`
    put(ANSWERING.replace('OUTPUT', output))
    expect(await run()).toMatchObject({ code: 0 })
    const whole = readFileSync(join(runs.root, output), 'utf8')
    for (const words of added(whole)) {
      runs.repository.write(output, words)
      runs.repository.write('ran.txt', '')
      put(`# ${words.length}\n${ANSWERING.replace('OUTPUT', output)}`)
      const ended = await run()
      expect(ended.status.tasks[0].reason).toMatchObject({
        code: TAKEN,
        message: expect.stringContaining('cannot start: '),
      })
      expect(readFileSync(join(runs.root, output), 'utf8')).toBe(words)
      expect(ran()).toEqual([])
    }
  },
)

test('a context that an agent has written in a form of its own is no obstacle to it', async () => {
  const output = `${runs.place}/own.json`
  const WRITING = ANSWERING.replace('ANSWERS', 'WRITES').replace('OUTPUT', output)
  put(WRITING)
  expect(await run()).toMatchObject({ code: 0 })
  const first = readFileSync(join(runs.root, output), 'utf8')
  put(`# again\n${WRITING}`)
  expect(await run()).toMatchObject({ code: 0 })
  expect(readFileSync(join(runs.root, output), 'utf8')).not.toBe(first)
})

test('what stands where an agent writes is looked at again when its task is tried again', async () => {
  const output = `${runs.place}/own.json`
  put(ANSWERING.replace('ANSWERS', 'WRITES').replace('OUTPUT', output))
  const mine = '{ "mine": true }'
  runs.repository.write(output, mine)
  const first = await run()
  const cannot = { code: TAKEN, message: expect.stringContaining('cannot start: ') }
  expect(first.status.tasks[0].reason).toMatchObject(cannot)
  const retry = () => missionRetry.run({ mission: first.mission }, runs.repository.missionApp())
  await retry()
  const again = await run()
  expect(again).toMatchObject({ mission: first.mission, continued: true })
  expect(again.status.tasks[0]).toMatchObject({ attempt: 2, reason: cannot })
  expect(readFileSync(join(runs.root, output), 'utf8')).toBe(mine)
  expect(ran()).toEqual([])
  rmSync(join(runs.root, output))
  await retry()
  expect(await run()).toMatchObject({ mission: first.mission, complete: true })
})

test('after an agent has failed, a file that was put in the place of its output stays', async () => {
  const output = `${runs.place}/own.json`
  put(ANSWERING.replace('ANSWERS', 'LAZY').replace('OUTPUT', output))
  const first = await run()
  expect(first.status.tasks[0].reason.code).toBe('mission/answer-refused')
  const mine = '{ "mine": true }'
  runs.repository.write(output, mine)
  runs.repository.write('ran.txt', '')
  await missionRetry.run({ mission: first.mission }, runs.repository.missionApp())
  const again = await run()
  expect(again.status.tasks[0]).toMatchObject({
    attempt: 2,
    reason: { code: TAKEN, message: expect.stringContaining('cannot start: ') },
  })
  expect(ran()).toEqual([])
  expect(readFileSync(join(runs.root, output), 'utf8')).toBe(mine)
})

test.each([
  ['something else', (words: string) => JSON.stringify({ mine: words }), 1],
  // It may be the agent's own as well, which then says so.
  ['a session context', (words: string) => words.replace('read nothing', 'found it myself'), 2],
])(
  'a person who writes %s to the file while the agent works loses nothing',
  async (_, by, times) => {
    const output = `${runs.place}/a.json`
    put(ANSWERING.replace('OUTPUT', output))
    expect(await run()).toMatchObject({ code: 0 })
    const mine = by(readFileSync(join(runs.root, output), 'utf8'))
    runs.repository.write('ran.txt', '')
    put(`# again\n${ANSWERING.replace('OUTPUT', output).replace('ANSWERS', 'WAIT ANSWERS')}`)
    const running = run()
    expect(await comesTrue(() => ran().length === 1, 60_000)).toBe(true)
    runs.repository.write(output, mine)
    runs.repository.write('go', '')
    const ended = await running
    expect(ended.status.tasks[0].reason.diagnostics[0].code).toBe(TAKEN)
    expect(readFileSync(join(runs.root, output), 'utf8')).toBe(mine)
    expect(ran()).toEqual(['ps-researcher', 'ps-researcher repair'].slice(0, times))
  },
)

test.each(['a.jsonl', 'a.txt'])('an answer is written to %s, and replaced there', async name => {
  const output = `${runs.place}/${name}`
  for (const again of ['', '# again\n']) {
    put(`${again}${ANSWERING.replace('OUTPUT', output)}`)
    expect(await run()).toMatchObject({ code: 0, complete: true })
    const { source_agent } = JSON.parse(readFileSync(join(runs.root, output), 'utf8'))
    expect(source_agent).toMatchObject({ id: 'ps-researcher' })
  }
})

test.each([
  ['complete', 'a.json', 0],
  ['not complete', '../.git/config', 1],
])('that a pipeline is %s in the end is said once', async (end, output, code) => {
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

test.each(['ANSWERS', 'WRITES'])(
  'a session context that a person has written stays, unless it is committed as it is, where an agent %s',
  async how => {
    const output = `${runs.place}/a.json`
    const words = ANSWERING.replace('OUTPUT', output).replace('ANSWERS', how)
    put(words)
    expect(await run()).toMatchObject({ code: 0 })
    const here = join(runs.root, output)
    const mine = readFileSync(here, 'utf8').replace('read nothing', 'was found by myself')
    runs.repository.write(output, mine)
    put(`# again\n${words}`)
    const refused = await run()
    expect(refused.status.tasks[0].reason).toMatchObject({
      code: TAKEN,
      message: expect.stringContaining(
        'that a person may have written: move it away, or commit it',
      ),
    })
    expect(readFileSync(here, 'utf8')).toBe(mine)
    expect(ran()).toHaveLength(1)
    runs.repository.commit()
    expect(await run()).toMatchObject({ code: 0, complete: true })
    expect(readFileSync(here, 'utf8')).not.toBe(mine)
  },
)
