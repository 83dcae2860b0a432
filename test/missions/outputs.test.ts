import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase } from '../database.ts'
import { type MissionRepository, openMissionRepository } from '../mission-repository.ts'
import { faultsOf, type Json, verbs } from '../output.ts'
import { comesTrue } from '../processes.ts'
import { PROGRAM } from '../program.ts'

let repository: MissionRepository
let other: Database
beforeAll(async () => {
  repository = await openMissionRepository()
  other = await openDatabase()
  repository.write('answer.json', JSON.stringify(ANSWER))
})
afterAll(async () => {
  await repository?.remove()
  await other?.remove()
})

const ANSWER = {
  schema_name: 'worker_result',
  output_text: 'Decided',
  structured_output: {},
  citations: [{ kind: 'internal', ref: 'lead_123' }],
  confidence: 0.8,
  tool_trace_refs: [],
}

function start(words: readonly string[], url = repository.database.url) {
  const { root } = repository
  const variables = [`DATABASE_URL=${url}`, `XDG_STATE_HOME=${root}`]
  const program = [process.execPath, PROGRAM, 'mission', ...words, '--format', 'json']
  return spawn('env', [...variables, ...program], { cwd: root })
}

const called = new Set<string>()

/** What a verb answers, which is valid by its published schema. */
async function answerOf(line: string, wanted: number, url?: string): Promise<Json> {
  const words = line.split(' ')
  const child = start(words, url)
  const ended = once(child, 'exit')
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  if (out === '') throw new Error(`nothing was printed: ${err}`)
  const output = JSON.parse(out) as Json
  const verb = `mission ${words[0]}`
  called.add(verb)
  expect(faultsOf(verb, output)).toEqual([])
  expect({ line, status: child.exitCode }).toEqual({ line, status: wanted })
  return output
}

test('a mission is submitted, paused, resumed and cancelled', async () => {
  const { mission } = await answerOf('submit brief --goal Why --context about=night', 0)
  expect(await answerOf(`pause ${mission}`, 0)).toMatchObject({ state: 'paused' })
  expect(await answerOf(`resume ${mission}`, 0)).toMatchObject({ state: 'running' })
  const cancelled = await answerOf(`cancel ${mission} --why enough`, 0)
  expect(cancelled).toMatchObject({ state: 'cancelled', reason: { message: 'enough' } })
  expect(await answerOf(`watch ${mission}`, 1)).toMatchObject({ state: 'cancelled' })
  expect(await answerOf('list --state cancelled', 0)).toMatchObject({ missions: [{ mission }] })
})

test('a mission that cannot begin says why', async () => {
  repository.write('empty.json', '{}')
  const output = await answerOf('submit --envelope empty.json --graph empty.json', 1)
  expect(output).toMatchObject({
    ...{ mission: null, status: null },
    faults: expect.arrayContaining([expect.objectContaining({ code: 'document/unrecognised' })]),
  })
})

test('an envelope and a graph that cannot be read are reported together, with the lines', async () => {
  repository.write('torn.json', '{\n  "mission_id": ')
  repository.write('list.json', '[]')
  const output = await answerOf('submit --envelope torn.json --graph list.json', 1)
  expect(output).toMatchObject({
    ...{ mission: null, status: null },
    faults: [
      {
        code: expect.stringMatching(/^syntax\//),
        artifact: 'mission_envelope',
        message: expect.stringContaining('torn.json, line 2: '),
      },
      { code: 'document/unrecognised', artifact: 'mission_task_graph' },
    ],
  })
})

test('an envelope in the place of the graph is reported as that', async () => {
  const envelope = JSON.stringify({ schema_name: 'mission_envelope', schema_version: 'v1' })
  repository.write('envelope.json', envelope)
  const output = await answerOf('submit --envelope envelope.json --graph envelope.json', 1)
  expect(output).toMatchObject({
    mission: null,
    faults: [
      {
        code: 'schema/const',
        path: '/schema_name',
        artifact: 'mission_task_graph',
        message: "envelope.json is 'mission_envelope', but must be a mission_task_graph",
      },
    ],
  })
})

test('a mission that fails is reported as failed, and can be tried again', async () => {
  const { mission, status } = await answerOf('run broken --goal Why', 1)
  expect(status).toMatchObject({ state: 'failed', tasks: [{ state: 'failed' }] })
  expect(await answerOf(`retry ${mission}`, 0)).toMatchObject({ state: 'running' })
  await answerOf(`cancel ${mission}`, 0)
})

/** A worker, and the lines that it prints. */
function startWork(): { readonly child: ChildProcess; readonly lines: string[] } {
  const child = start(['work', '--concurrency', '2'])
  const lines: string[] = []
  createInterface({ input: child.stdout }).on('line', line => lines.push(line))
  return { child, lines }
}

test('a worker tells when it starts and stops; what waits for a person goes on when they answer', async () => {
  const { mission } = await answerOf('submit person --goal Why', 0)
  const { child, lines } = startWork()
  const ended = once(child, 'exit')
  const waits = async () =>
    (await repository.status(String(mission))).tasks.some(({ state }) => state === 'waiting')
  expect(await comesTrue(waits, 60_000)).toBe(true)
  await answerOf(`answer ${mission} decide --file answer.json --by ada`, 0)
  expect(await repository.reaches(String(mission), 'finished', 'failed')).toMatchObject({
    state: 'finished',
  })
  child.kill('SIGTERM')
  await ended
  called.add('mission work')
  const events = lines.map(line => JSON.parse(line) as Json)
  expect(events).toMatchObject([{ event: 'started' }, { event: 'stopped' }])
  expect(events.flatMap(part => faultsOf('mission work', part))).toEqual([])
})

test('a mission that is done waits for decisions, and can be looked at, replayed and moved', async () => {
  const { mission, status } = await answerOf('run brief --goal Why', 0)
  expect(status).toMatchObject({ review: 'approved', proposals: [{ state: 'pending', by: null }] })
  const [{ proposal = '' } = {}] = (status as { proposals: { proposal?: string }[] }).proposals
  expect(await answerOf(`approve ${proposal} --dry-run`, 0)).toMatchObject({
    ...{ outcome: 'would-record', mission, entry: null },
    payload: { proposal_id: proposal },
  })
  const approved = await answerOf(`approve ${proposal} --by ada --why read --hours 2`, 0)
  expect(approved).toMatchObject({ outcome: 'recorded', by: 'ada', standing: 'claimed' })
  expect(await answerOf(`status ${mission}`, 0)).toMatchObject({
    proposals: [{ proposal, state: 'approved', by: 'ada', why: 'read' }],
  })
  expect(await answerOf(`show ${mission} review_packet`, 0)).toMatchObject({ artifacts: [{}] })
  expect(await answerOf(`graph ${mission} --as svg`, 0)).toMatchObject({ as: 'svg', folded: 1 })
  expect(await answerOf(`replay ${mission}`, 0)).toMatchObject({ log: true, differences: [] })
  const { root } = await answerOf(`export ${mission} --to brief.jsonl`, 0)
  const verified = await answerOf(`import brief.jsonl --dry-run --digest ${root}`, 0)
  expect(verified).toMatchObject({ outcome: 'verified', evidence: 'verified', root })
  expect(await answerOf('import brief.jsonl', 0, other.url)).toMatchObject({ outcome: 'imported' })
  expect(await answerOf('import brief.jsonl', 0, other.url)).toMatchObject({ outcome: 'was-there' })
})

test('what was rejected says by whom', async () => {
  const { status } = await answerOf('run brief --goal Why', 0)
  const [{ proposal = '' } = {}] = (status as { proposals: { proposal?: string }[] }).proposals
  expect(await answerOf(`reject ${proposal} --by ada --why no`, 0)).toMatchObject({
    ...{ decision: 'rejected', expires: null },
    entry: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
})

test('every verb of missions is called', () => {
  expect(called).toEqual(new Set(verbs.filter(verb => verb.startsWith('mission '))))
})
