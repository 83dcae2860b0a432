import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { toolGuards } from '../../../test/tool-guard.ts'

const open = toolGuards()
const servers: Server[] = []
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
})

/** A guard whose only tool, `echo`, is somewhere else. */
function elsewhere(url: string, token: string | undefined, patience = 20_000) {
  return open(['echo'], {
    missions: {
      servers: { there: { url, token: 'TOKEN' } },
      tools: { echo: { server: 'there' } },
    },
    environment: token === undefined ? {} : { TOKEN: token },
    patience,
  })
}

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
}

test('a tool of a server elsewhere is called with the token that is kept in a variable', async () => {
  const there = open(['echo'])
  const { url, token } = await there.tools.endpoint()
  const { tools, traces } = elsewhere(url, token)
  expect((await tools.list()).map(({ name }) => name)).toEqual(['echo'])
  expect((await tools.call('echo', { text: 'hello' })).text).toContain('\nhello\n')
  expect(traces).toMatchObject([{ server: 'there', isError: false }])
})

test('a server that comes back is asked once more', async () => {
  const there = open(['echo'])
  const { url, token } = await there.tools.endpoint()
  const { tools } = elsewhere(url, token)
  await tools.list()
  await there.tools.close()
  expect((await tools.call('echo', { text: 'a' })).text).toContain('is not available')
  expect((await tools.call('echo', { text: 'a' })).text).toContain('is not available')
  expect((await tools.call('echo', { text: 'a' })).text).toContain('failed 2 times')
})

test.each([
  ['with a wrong token', 'ghp_wrong', /is not available/],
  ['with a variable that is not set', undefined, /it needs the variable TOKEN, which is empty/],
  [
    'with a token that no header carries',
    'ghp_wr\u00f6ng',
    /TOKEN, which contains a control character or a non-ASCII/,
  ],
])(
  'a server elsewhere %s is not available, and the token is not shown',
  async (_, token, words) => {
    const there = open(['echo'])
    const { url } = await there.tools.endpoint()
    const { tools } = elsewhere(url, token)
    const { text, isError } = await tools.call('echo', { text: 'a' })
    expect([isError, text]).toEqual([true, expect.stringMatching(words)])
    expect(text).not.toContain('ghp_')
  },
)

test.each<[string, RequestListener, number]>([
  ['sends elsewhere', (_, response) => response.writeHead(307, { location: '/' }).end(), 20_000],
  ['fails', (_, response) => response.writeHead(500).end('no'), 20_000],
  ['speaks something else', (_, response) => response.end('<html>'), 20_000],
  ['hangs up', ({ socket }) => socket.destroy(), 20_000],
  ['never answers', () => {}, 1000],
  [
    'sends without end',
    (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      }
      response.on('drain', more)
      more()
    },
    20_000,
  ],
])('a server elsewhere that %s is not available', async (_, listener, patience) => {
  const tokens: unknown[] = []
  const url = await listen((request, response) => {
    tokens.push(request.headers.authorization)
    listener(request, response)
  })
  const { tools } = elsewhere(url, 'secret-of-ours', patience)
  const { text, isError } = await tools.call('echo', { text: 'a' })
  expect([isError, text]).toEqual([true, expect.stringContaining('is not available')])
  expect(tokens[0]).toBe('Bearer secret-of-ours')
  expect(text).not.toContain('secret')
})
