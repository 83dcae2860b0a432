import { request } from 'node:http'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, describe, expect, test } from 'vitest'
import { comesTrue } from '../../../test/processes.ts'
import { type TestGuard, toolGuards } from '../../../test/tool-guard.ts'

const open = toolGuards()
const clients: Client[] = []
afterAll(async () => {
  for (const client of clients) await client.close()
})

async function connect({ tools }: TestGuard, version?: string): Promise<Client> {
  const { url, token } = await tools.endpoint()
  const mode = version === undefined ? 'legacy' : { pin: version }
  const client = new Client({ name: 'agent', version: '1' }, { versionNegotiation: { mode } })
  const headers = { authorization: `Bearer ${token}` }
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
  )
  clients.push(client)
  return client
}

describe.each([
  ['2025-11-25', undefined],
  ['2026-07-28', '2026-07-28'],
])('an agent that speaks MCP of %s', (negotiated, pinned) => {
  test('finds exactly the tools of its task, and calls them through the guard', async () => {
    const guard = open(['echo'])
    const client = await connect(guard, pinned)
    expect(client.getNegotiatedProtocolVersion()).toBe(negotiated)
    const { tools } = await client.listTools()
    expect(tools).toMatchObject(await guard.tools.list())
    const answer = await client.callTool({ name: 'echo', arguments: { text: 'hello' } })
    expect(answer).toMatchObject({
      isError: false,
      content: [{ type: 'text', text: expect.stringContaining('\nhello\n') }],
    })
    expect(JSON.stringify(answer.content)).toContain(guard.traces[0]?.ref)
  })

  test('gets the reason of a refusal, and that is traced', async () => {
    const guard = open(['echo'])
    const client = await connect(guard, pinned)
    const answer = await client.callTool({ name: 'fail', arguments: {} })
    expect(answer).toMatchObject({ isError: true })
    expect(JSON.stringify(answer.content)).toContain('not in the scope')
    expect(guard.traces).toMatchObject([{ tool: 'fail', decision: 'deny' }])
  })

  test('ends its call by going away', async () => {
    const guard = open(['hang'])
    const client = await connect(guard, pinned)
    const ended = new AbortController()
    const call = client.callTool(
      { name: 'hang', arguments: { file: guard.file(`gone-${negotiated}`) } },
      { signal: ended.signal },
    )
    call.catch(() => undefined)
    expect(await comesTrue(() => guard.read(`gone-${negotiated}`) !== '')).toBe(true)
    ended.abort()
    await client.close()
    expect(await comesTrue(() => guard.traces.length === 1)).toBe(true)
    expect(guard.traces).toMatchObject([{ decision: 'allow', isError: true }])
  })

  test('loses its call, and the endpoint, when the attempt ends', async () => {
    const guard = open(['hang'])
    const client = await connect(guard, pinned)
    const { url } = await guard.tools.endpoint()
    const call = client.callTool({
      name: 'hang',
      arguments: { file: guard.file(`over-${negotiated}`) },
    })
    const outcome = call.then(
      ({ isError }) => isError === true,
      () => true,
    )
    expect(await comesTrue(() => guard.read(`over-${negotiated}`) !== '')).toBe(true)
    await guard.tools.close()
    expect(await outcome).toBe(true)
    await expect(fetch(url, { method: 'POST' })).rejects.toThrow()
  })
})

test('many calls at once have each its own answer', async () => {
  const guard = open(['echo'])
  const client = await connect(guard)
  const words = Array.from({ length: 30 }, (_, i) => `word-${i}-`)
  const answers = await Promise.all(
    words.map(text => client.callTool({ name: 'echo', arguments: { text } })),
  )
  for (const [i, answer] of answers.entries())
    expect(JSON.stringify(answer.content)).toContain(`word-${i}-`)
  expect(guard.traces).toHaveLength(30)
})

test('the endpoint is opened once, with a port and a token of its own', async () => {
  const [one, other] = [open([]), open([])]
  const first = await one.tools.endpoint()
  expect(await one.tools.endpoint()).toEqual(first)
  const second = await other.tools.endpoint()
  expect(second.url).not.toBe(first.url)
  expect(second.token).not.toBe(first.token)
  expect(first.url).toMatch(/^http:\/\/127\.0\.0\.1:[0-9]+\/mcp$/)
  expect(first.token).toHaveLength(43)
})

describe('a request is refused', () => {
  test.each([
    ['with an unknown token', { authorization: 'Bearer x' }, '/mcp', 401],
    ['without a token', { authorization: '' }, '/mcp', 401],
    ['for another host', { host: 'evil.example' }, '/mcp', 403],
    ['for another port', { host: '127.0.0.1:1' }, '/mcp', 403],
    ['from a page of another origin', { origin: 'https://evil.example' }, '/mcp', 403],
    ['from a page of no origin', { origin: 'null' }, '/mcp', 403],
    ['for another path', {}, '/', 404],
  ])('%s', async (_, headers, path, status) => {
    const guard = open(['echo'])
    const { url, token } = await guard.tools.endpoint()
    const given = { host: new URL(url).host, authorization: `Bearer ${token}`, ...headers }
    expect(await post(url, path, given)).toBe(status)
    expect(guard.traces).toEqual([])
  })

  test('that is too long', async () => {
    const { tools } = open(['echo'])
    const { url, token } = await tools.endpoint()
    const host = new URL(url).host
    const headers = { host, authorization: `Bearer ${token}` }
    // Who still sends when the answer comes may find the connection gone.
    const refused = await post(url, '/mcp', headers, 'x'.repeat(2_000_000)).catch(() => 413)
    expect(refused).toBe(413)
    expect(await post(url, '/mcp', headers, LIST)).toBe(200)
  })
})

const LIST = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })

/** By Node's own client: with the other one no host can be chosen. */
function post(
  url: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body = LIST,
): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const more = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    }
    const asked = request(new URL(path, url), { method: 'POST', headers: { ...more, ...headers } })
    asked.once('response', response => {
      response.resume()
      resolve(response.statusCode)
    })
    asked.once('error', reject)
    asked.end(body)
  })
}
