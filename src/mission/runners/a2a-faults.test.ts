import { afterEach, expect, test } from 'vitest'
import { cardOf, type Doing, type Instead, openA2aServer } from '../../../test/a2a-server.ts'
import {
  ANSWER,
  closeAll,
  closeLater,
  continuedFrom,
  ENVIRONMENT,
  jsonAt,
  openAgent,
  TOKEN,
  WELL_KNOWN,
} from '../../../test/asked-agent.ts'
import { assignmentOf } from '../../../test/runner-suite.ts'
import { readToken } from './a2a/token.ts'
import { a2aRunner } from './a2a.ts'

afterEach(closeAll)

test('waits on where it cannot look for a while, and gives up in the end', async () => {
  let isDown = false
  const { run } = await openAgent({
    does: { state: 'TASK_STATE_WORKING' },
    instead: (_, response) => {
      if (isDown) response.writeHead(500).end()
      return isDown
    },
  })
  let outcome = await run()
  isDown = true
  for (let n = 0; n < 2; n += 1) {
    outcome = await run(continuedFrom(outcome))
    expect(outcome).toMatchObject({ is: 'waiting' })
  }
  isDown = false
  outcome = await run(continuedFrom(outcome))
  expect(outcome).toMatchObject({ is: 'waiting', token: { missed: 0 } })
  isDown = true
  for (let n = 0; n < 5; n += 1) outcome = await run(continuedFrom(outcome))
  expect(outcome).toMatchObject({ code: 'mission/runner-unavailable', mayRetry: true })
})

/** Answers what the SDK asks for, and `more` in the task that is asked about. */
const taskWith =
  (more: object): Instead =>
  (request, response) => {
    if (request.url !== '/rpc') return false
    const status = { state: 'TASK_STATE_WORKING' }
    const task = { id: 't1', contextId: 'c1', status, ...more }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { task, ...task } }))
    return true
  }

const KEPT = { taskId: 't1', contextId: 'c1', again: 1, missed: 0, used: 0 }
const artifacts = [{ artifactId: 'a', parts: [{ data: ANSWER }] }]
const done = { status: { state: 'TASK_STATE_COMPLETED' }, artifacts }

test.each([
  ['another id', { id: 'of-another-agent', ...done }],
  ['no id', { id: '', ...done }],
  ['another context', { contextId: 'c2', ...done }],
  ['another id, and goes on', { id: 't2' }],
])('takes no answer for a task that is not its own: %s', async (_, more) => {
  const { run } = await openAgent({ does: { says: [] }, instead: taskWith(more) })
  expect(await run({ continued: { token: KEPT, waited: 0 } })).toEqual({
    is: 'failed',
    code: 'mission/runner-answer',
    message: expect.stringContaining('for another task'),
    mayRetry: true,
  })
})

test.each([
  ['its own context', {}],
  ['no context', { contextId: '' }],
])('takes the answer for its own task, in %s', async (_, more) => {
  const instead = taskWith({ ...done, ...more })
  const { run } = await openAgent({ does: { says: [] }, instead })
  expect(await run({ continued: { token: KEPT, waited: 0 } })).toEqual({
    is: 'returned',
    answer: ANSWER,
  })
})

test.each([
  ['an id with NUL', { id: 't\0' }],
  ['an id with half of a character', { id: 't\ud800' }],
  ['an id that is too long', { id: 't'.repeat(9_000) }],
  ['a context with NUL', { contextId: 'c\0' }],
])('keeps no name of a task that cannot be kept: %s', async (_, more) => {
  const { run } = await openAgent({ does: { says: [] }, instead: taskWith(more) })
  expect(await run()).toMatchObject({ is: 'failed', code: 'mission/runner-answer' })
})

test('the time that a refused answer took is not given again for the next one', async () => {
  const does = { state: 'TASK_STATE_WORKING' } as const
  const { server, run } = await openAgent({ does }, { seconds: 60 })
  const before = (used: number) => ({ before: { token: { ...KEPT, used }, waited: 0 } })
  const waiting = await run(before(30_000))
  expect(waiting).toMatchObject({ is: 'waiting', again: 1000 })
  expect(waiting.is === 'waiting' && readToken(waiting.token)?.used).toBeGreaterThan(30_000)
  expect(await run(before(61_000))).toMatchObject({
    code: 'mission/runner-timeout',
  })
  expect(server.methods()).toEqual(['SendMessage'])
})

test('says that an agent has forgotten a task', async () => {
  const { server, run } = await openAgent({ does: { state: 'TASK_STATE_WORKING' } })
  const waiting = await run()
  server.forget()
  expect(await run(continuedFrom(waiting))).toMatchObject({
    code: 'mission/runner-failed',
    message: expect.stringContaining('no longer knows'),
    mayRetry: true,
  })
})

test('a token that is wrong is distinguished from one that is missing, and neither is shown', async () => {
  const does: Doing = { says: [{ data: ANSWER }] }
  const wrong = await openAgent({ does }, { token: 'AGENT_WRONG' })
  const outcome = await wrong.run()
  expect(outcome).toMatchObject({
    code: 'mission/runner-refused',
    message: expect.stringContaining('AGENT_WRONG'),
    mayRetry: false,
  })
  expect(JSON.stringify(outcome)).not.toContain(ENVIRONMENT.AGENT_WRONG)
  const missing = await openAgent({ does }, { token: 'AGENT_MISSING' })
  expect(await missing.run()).toMatchObject({
    code: 'mission/runner-missing',
    message: expect.stringContaining('AGENT_MISSING'),
  })
  expect(missing.server.calls).toEqual([])
})

test.each<[string, Instead, string]>([
  ['a card that is no JSON', jsonAt(WELL_KNOWN, '<html>'), 'mission/runner-missing'],
  ['a card without interfaces', jsonAt(WELL_KNOWN, {}), 'mission/runner-missing'],
  ['a card that is null', jsonAt(WELL_KNOWN, null), 'mission/runner-missing'],
  ['an answer that is no JSON', jsonAt('/rpc', '<html>'), 'mission/runner-answer'],
  ['half of an answer', jsonAt('/rpc', '{"jsonrpc": "2.0", "res'), 'mission/runner-answer'],
  ['an answer of another protocol', jsonAt('/rpc', { ok: true }), 'mission/runner-answer'],
  [
    'a result that is neither message nor task',
    jsonAt('/rpc', { jsonrpc: '2.0', id: 1, result: {} }),
    'mission/runner-answer',
  ],
  [
    'a task without a name',
    jsonAt('/rpc', { jsonrpc: '2.0', id: 1, result: { task: {} } }),
    'mission/runner-answer',
  ],
  [
    'an error of the protocol',
    jsonAt('/rpc', { jsonrpc: '2.0', id: 1, error: { code: -32602, message: `no ${TOKEN}` } }),
    'mission/runner-failed',
  ],
  ['a fault of the server', jsonAt('/rpc', {}, 500), 'mission/runner-unavailable'],
  ['an agent that is busy for ever', jsonAt('/rpc', {}, 429), 'mission/runner-unavailable'],
])('survives %s', async (_, instead, code) => {
  const { run } = await openAgent({ does: { says: [] }, instead })
  expect(await run()).toMatchObject({ is: 'failed', code })
})

test('a connection that is reset, or refused, may come out better later', async () => {
  const { server, run } = await openAgent({
    does: { says: [] },
    instead: (request, response) => {
      if (request.url === '/rpc') response.destroy()
      return request.url === '/rpc'
    },
  })
  const unavailable = { code: 'mission/runner-unavailable', mayRetry: true }
  expect(await run()).toMatchObject(unavailable)
  await server.close()
  expect(await run()).toMatchObject(unavailable)
})

test('asks no interface elsewhere, whatever the card says, and follows no redirect', async () => {
  const other = await openA2aServer({ does: { says: [{ data: ANSWER }] } })
  closeLater(other)
  const away = await openAgent({ does: { says: [] }, card: () => cardOf(other.url) })
  expect(await away.run()).toMatchObject({
    code: 'mission/runner-missing',
    message: expect.stringContaining('no A2A 1.0 interface'),
  })
  const sent = await openAgent({
    does: { says: [] },
    instead: (request, response) => {
      if (request.url === '/rpc') response.writeHead(307, { location: `${other.url}/rpc` }).end()
      return request.url === '/rpc'
    },
  })
  expect(await sent.run()).toMatchObject({ code: 'mission/runner-failed' })
  expect(other.calls).toEqual([])
})

test('of several interfaces takes the one that stands where the card does', async () => {
  const card = (url: string) => ({
    ...cardOf(url),
    supportedInterfaces: [
      { url: 'http://127.0.0.1:9/rpc', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      { url: `${url}/old`, protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
      { url: `${url}/grpc`, protocolBinding: 'GRPC', protocolVersion: '1.0' },
      ...cardOf(url).supportedInterfaces,
    ],
  })
  const { run } = await openAgent({ does: { says: [{ data: ANSWER }] }, card })
  expect(await run()).toEqual({ is: 'returned', answer: ANSWER })
})

test('where there is no card, the configured address is the interface', async () => {
  const server = await openA2aServer({
    does: { says: [{ data: ANSWER }] },
    instead: jsonAt(WELL_KNOWN, {}, 404),
  })
  closeLater(server)
  const outcome = await a2aRunner({ url: `${server.url}/rpc` }).run(assignmentOf(), {
    root: '/',
    environment: {},
    signal: new AbortController().signal,
  })
  expect(outcome).toEqual({ is: 'returned', answer: ANSWER })
})
