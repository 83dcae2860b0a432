import { afterEach, expect, test } from 'vitest'
import {
  cardOf,
  type Doing,
  type Instead,
  openA2aServer,
  type Part,
} from '../../../test/a2a-server.ts'
import { ANSWER, closeAll, continuedFrom, openAgent, TOKEN } from '../../../test/asked-agent.ts'
import { comesTrue } from '../../../test/processes.ts'
import { assignmentOf, type Behaviour, describeRunner } from '../../../test/runner-suite.ts'
import { a2aRunner } from './a2a.ts'

afterEach(closeAll)

/** Sends forever what a client waits for the end of. */
const flooding: Instead = (request, response) => {
  if (request.url !== '/rpc') return false
  response.writeHead(200, { 'content-type': 'application/json' })
  const more = () => {
    while (!response.destroyed && response.write(' '.repeat(65_536)));
    if (!response.destroyed) response.once('drain', more)
  }
  more()
  return true
}

const hanging: Instead = request => request.url === '/rpc'

function doingOf(behaviour: Behaviour): Doing {
  if (behaviour.does === 'fails') return { state: 'TASK_STATE_FAILED', words: behaviour.saying }
  if (behaviour.does !== 'answers') return { says: [] }
  return { state: 'TASK_STATE_COMPLETED', artifact: [{ text: textOf(behaviour) }] }
}

/** An agent says what it used up within its answer. */
function textOf({ text, usage }: Extract<Behaviour, { does: 'answers' }>): string {
  return usage ? JSON.stringify({ ...JSON.parse(text), usage }) : text
}

describeRunner({
  name: 'agents over A2A',
  open: async behaviour => {
    const server = await openA2aServer({
      does: doingOf(behaviour),
      ...(behaviour.does === 'hangs' && { instead: hanging }),
      ...(behaviour.does === 'floods' && { instead: flooding }),
    })
    return {
      runner: a2aRunner({ url: server.url }),
      runContext: { root: '/', environment: {} },
      begun: () => server.methods().length,
      received: () => server.calls.map(({ text }) => text).join('\n'),
      left: server.open,
      close: server.close,
    }
  },
})

test('sends the assignment as data, a few words, and the token in a header alone', async () => {
  const { server, run } = await openAgent({ does: { says: [{ data: ANSWER }] } })
  expect(await run()).toEqual({ is: 'returned', answer: ANSWER })
  expect(server.methods()).toEqual(['SendMessage'])
  const sent = JSON.parse(server.calls.at(-1)?.text ?? '{}')
  const { message, configuration } = sent.params
  expect(message.parts.map((part: object) => Object.keys(part)[0])).toEqual(['text', 'data'])
  expect(message.parts[1].data).toEqual(JSON.parse(JSON.stringify(assignmentOf())))
  expect(configuration.returnImmediately).toBe(true)
  expect(JSON.stringify(sent)).not.toContain(TOKEN)
  // Sent again after an accident, it is the same message.
  await run()
  expect(JSON.parse(server.calls.at(-1)?.text ?? '{}').params.message.messageId).toBe(
    message.messageId,
  )
})

test.each<[string, readonly Part[], unknown]>([
  ['one value', [{ data: ANSWER }], ANSWER],
  ['a value next to words', [{ text: 'Here you are.' }, { data: ANSWER }], ANSWER],
  ['several values', [{ data: { a: 1 } }, { data: { b: 2 } }], { artifacts: [{ a: 1 }, { b: 2 }] }],
  ['words that are JSON', [{ text: JSON.stringify(ANSWER) }], ANSWER],
])('reads the answer of a task that is done: %s', async (_, artifact, answer) => {
  const { run } = await openAgent({ does: { state: 'TASK_STATE_COMPLETED', artifact } })
  expect(await run()).toEqual({ is: 'returned', answer })
})

test('a task that is done without data has no answer', async () => {
  const { run } = await openAgent({ does: { state: 'TASK_STATE_COMPLETED' } })
  expect(await run()).toMatchObject({ code: 'mission/runner-answer', mayRetry: true })
})

test.each([
  'TASK_STATE_SUBMITTED',
  'TASK_STATE_WORKING',
  'TASK_STATE_INPUT_REQUIRED',
  'TASK_STATE_AUTH_REQUIRED',
] as const)(
  'waits for a task in %s, looks at it less and less often, and takes its answer',
  async state => {
    const { server, run } = await openAgent({ does: { state } })
    let outcome = await run()
    const pauses: (number | undefined)[] = []
    for (let n = 0; n < 15; n += 1) {
      expect(outcome).toMatchObject({
        is: 'waiting',
        for: 'agent',
        token: { taskId: expect.any(String), contextId: expect.any(String) },
      })
      if (outcome.is === 'waiting') pauses.push(outcome.again)
      outcome = await run(continuedFrom(outcome))
    }
    expect(pauses[0]).toBe(1000)
    expect(pauses).toEqual(pauses.toSorted((a = 0, b = 0) => a - b))
    expect(pauses.at(-1)).toBe(60_000)
    server.become({ state: 'TASK_STATE_COMPLETED', artifact: [{ data: ANSWER }] })
    expect(await run(continuedFrom(outcome))).toEqual({ is: 'returned', answer: ANSWER })
    expect(server.methods()).toEqual(['SendMessage', ...Array(16).fill('GetTask')])
  },
)

test.each([
  ['TASK_STATE_FAILED', 'mission/runner-failed', true],
  ['TASK_STATE_CANCELED', 'mission/runner-failed', true],
  ['TASK_STATE_REJECTED', 'mission/runner-refused', false],
] as const)('takes %s for a failure, at once and later', async (state, code, mayRetry) => {
  const words = `I cannot, ${TOKEN}`
  const failure = { is: 'failed', code, message: expect.stringContaining('I cannot'), mayRetry }
  const now = await openAgent({ does: { state, words } })
  expect(await now.run()).toEqual(failure)
  const later = await openAgent({ does: { state: 'TASK_STATE_WORKING' } })
  const waiting = await later.run()
  later.server.become({ state, words })
  expect(await later.run(continuedFrom(waiting))).toEqual(failure)
})

test('cancels the task of the other side when it is cancelled here', async () => {
  const { server, run } = await openAgent({ does: { state: 'TASK_STATE_WORKING' } })
  const waiting = await run()
  const outcome = await run({ ...continuedFrom(waiting), signal: AbortSignal.abort() })
  expect(outcome).toMatchObject({ code: 'mission/runner-cancelled' })
  expect(server.methods()).toEqual(['SendMessage', 'CancelTask'])
  expect(await run(continuedFrom(waiting))).toMatchObject({
    message: expect.stringContaining('cancelled the task'),
  })
})

test('cancels the task of the other side while it looks at it', async () => {
  let isSilent = false
  const { server, run } = await openAgent({
    does: { state: 'TASK_STATE_WORKING' },
    instead: request => isSilent && request.url === '/rpc',
  })
  const waiting = await run()
  isSilent = true
  const stop = new AbortController()
  const outcome = run({ ...continuedFrom(waiting), signal: stop.signal })
  expect(await comesTrue(() => server.methods().includes('GetTask'))).toBe(true)
  isSilent = false
  stop.abort()
  expect(await outcome).toMatchObject({ code: 'mission/runner-cancelled' })
  expect(server.methods().at(-1)).toBe('CancelTask')
})

test.each(['stopping', 'lost'])(
  'leaves the task of the other side to the worker that continues it: %s',
  async reason => {
    const { server, run } = await openAgent({ does: { state: 'TASK_STATE_WORKING' } })
    const waiting = await run()
    const outcome = await run({ ...continuedFrom(waiting), signal: AbortSignal.abort(reason) })
    expect(outcome).toMatchObject({ code: 'mission/runner-cancelled' })
    expect(server.methods()).toEqual(['SendMessage'])
    expect(await run(continuedFrom(waiting))).toMatchObject({ is: 'waiting' })
  },
)

test('only what was waited counts as the time of a task that is looked at early', async () => {
  const { server, run } = await openAgent(
    { does: { state: 'TASK_STATE_WORKING' } },
    { seconds: 60 },
  )
  let outcome = await run()
  for (let n = 0; n < 30; n += 1) outcome = await run(continuedFrom(outcome))
  expect(outcome).toMatchObject({ is: 'waiting', token: { again: 60_000 } })
  expect(await run(continuedFrom(outcome, 60_000))).toMatchObject({
    code: 'mission/runner-timeout',
  })
  expect(server.methods().at(-1)).toBe('CancelTask')
})

test('gives up a task that takes longer than it may, over all looks, and cancels it', async () => {
  const { server, run } = await openAgent(
    { does: { state: 'TASK_STATE_WORKING' } },
    { seconds: 60 },
  )
  const { continued } = continuedFrom(await run())
  const token = { ...continued.token, used: 61_000 }
  expect(await run({ continued: { token, waited: 0 } })).toEqual({
    is: 'failed',
    code: 'mission/runner-timeout',
    message: 'the agent took longer than 60 s',
    mayRetry: true,
  })
  expect(server.methods()).toEqual(['SendMessage', 'CancelTask'])
})

test('speaks plain HTTP where the card offers nothing else', async () => {
  const task = { id: 't1', contextId: 'c1', status: { state: 'TASK_STATE_WORKING' } }
  const asked: string[] = []
  let isForgotten = false
  const { run } = await openAgent({
    does: { says: [] },
    card: url => ({
      ...cardOf(url),
      supportedInterfaces: [
        { url: `${url}/rest`, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
      ],
    }),
    instead: (request, response) => {
      if (!request.url?.startsWith('/rest')) return false
      asked.push(`${request.method} ${request.url} ${request.headers.authorization}`)
      response.writeHead(isForgotten ? 404 : 200, { 'content-type': 'application/a2a+json' })
      const { id, contextId } = task
      const done = {
        id,
        contextId,
        status: { state: 'TASK_STATE_COMPLETED' },
        artifacts: [{ artifactId: 'a', parts: [{ data: ANSWER }] }],
      }
      const answer = request.method === 'POST' ? { task } : done
      response.end(JSON.stringify(isForgotten ? GONE : answer))
      return true
    },
  })
  const waiting = await run()
  expect(waiting).toMatchObject({ is: 'waiting', token: { taskId: 't1', contextId: 'c1' } })
  expect(await run(continuedFrom(waiting))).toEqual({ is: 'returned', answer: ANSWER })
  isForgotten = true
  expect(await run(continuedFrom(waiting))).toMatchObject({
    code: 'mission/runner-failed',
    message: expect.stringContaining('no longer knows'),
  })
  expect(asked[0]).toBe(`POST /rest/message:send Bearer ${TOKEN}`)
  expect(asked[1]).toMatch(/^GET \/rest\/tasks\/t1/)
})

/** How an agent that speaks plain HTTP says that there is no such task. */
const GONE = {
  error: {
    code: 404,
    status: 'NOT_FOUND',
    message: 'no such task',
    details: [
      {
        '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
        reason: 'TASK_NOT_FOUND',
        domain: 'a2a-protocol.org',
      },
    ],
  },
}
