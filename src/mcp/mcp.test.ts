import { existsSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectHere } from '../../test/mcp-client.ts'
import { PROGRAM } from '../../test/program.ts'
import { FILE, stateFixture } from '../../test/state-folder.ts'
import { FAULTY, openTestFolder, SOUND, type TestFolder } from '../../test/test-folder.ts'
import { readRecords } from '../workspace/index.ts'
import { catalogue } from './catalogue.generated.ts'
import { actionOf, SHARED, toolOf } from './shared-tools.ts'
import { deriveTools, inputOf } from './tools.ts'

let folder: TestFolder
let elsewhere: TestFolder
const clients: Client[] = []
beforeAll(() => {
  folder = openTestFolder()
  elsewhere = openTestFolder()
  folder.write('sound.json', SOUND)
  folder.write('faulty.json', FAULTY)
  elsewhere.write('other.json', SOUND)
  symlinkSync(elsewhere.root, join(folder.root, 'away'))
  symlinkSync(join(elsewhere.root, 'to-be-made'), join(folder.root, 'nowhere'))
})
afterAll(async () => {
  for (const client of clients) await client.close()
  folder.remove()
  elsewhere.remove()
})

const NOW = '2026-06-01T00:00:00Z'

/** A client of a server in this process. */
async function reach(): Promise<Client> {
  const client = await connectHere({ root: folder.root, now: NOW })
  clients.push(client)
  return client
}

/** A client of a server process of its own. */
async function connect(version?: string): Promise<Client> {
  const mode = version === undefined ? 'legacy' : { pin: version }
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } })
  const args = [PROGRAM, 'mcp', '--root', folder.root, '--now', NOW]
  await client.connect(new StdioClientTransport({ command: process.execPath, args }))
  clients.push(client)
  return client
}

describe.each([
  ['2025-11-25', undefined],
  ['2026-07-28', '2026-07-28'],
])('a client of %s', (negotiated, pinned) => {
  let client: Client
  beforeAll(async () => {
    client = await connect(pinned)
  })

  test('speaks that version', () => {
    expect(client.getNegotiatedProtocolVersion()).toBe(negotiated)
  })

  test('finds at most thirteen tools, each of which says what it takes and what it answers', async () => {
    const { tools } = await client.listTools()
    expect(tools.length).toBeLessThanOrEqual(13)
    for (const tool of tools) {
      expect(tool).toMatchObject({
        inputSchema: { type: 'object' },
        outputSchema: { type: 'object' },
      })
      expect(tool.description?.length).toBeGreaterThan(20)
    }
  })

  test('gets an answer that fits what was said of it', async () => {
    await client.listTools()
    const answer = await client.callTool({ name: 'check', arguments: { paths: ['faulty.json'] } })
    expect(answer).toMatchObject({ structuredContent: { summary: { rejected: 1 } } })
    expect(answer.isError ?? false).toBe(false)
  })

  test.each([
    ['a path above the root', { paths: ['../x.json'] }],
    ['an absolute path elsewhere', { paths: ['/etc/hostname'] }],
    ['a path through a link', { paths: ['sound.json', 'away/other.json'] }],
    ['standard input', { paths: ['-'] }],
    ['an input that there is not', { path: 'sound.json' }],
    ['an input of another type', { paths: 'sound.json' }],
    ['a path that no file could have', { paths: ['a\0b'] }],
    ['a path without end', { paths: ['a'.repeat(100_000)] }],
    ['to excuse what is wrong', { baseline: true }],
  ])('is refused %s', async (_, given) => {
    const answer = await client.callTool({ name: 'check', arguments: given }).catch(error => ({
      isError: true,
      content: [{ type: 'text', text: String(error) }],
    }))
    expect(answer.isError).toBe(true)
    expect(JSON.stringify(answer.content)).not.toContain('internal')
  })
})

const LOG = ['verify', 'prove', 'bundle']

test.each<[string, string, Record<string, unknown>]>([
  ['a handoff written elsewhere', 'send', { path: 'sound.json', to: '../x' }],
  ['a handoff written through a link', 'send', { path: 'sound.json', to: 'away' }],
  ['a folder to be made behind a link', 'send', { path: 'sound.json', to: 'away/new/deeper' }],
  ['a link that leads to nothing yet', 'send', { path: 'sound.json', to: 'nowhere' }],
  ['the envelope of another folder', 'receive', { path: 'sound.json', envelope: '/etc/hostname' }],
  ['a receipt written elsewhere', 'receive', { path: 'sound.json', to: '/tmp' }],
  ['the log of another repository', 'verify', { ledger: '../other/.waybill/ledger' }],
  ['a receipt from another folder', 'verify', { receipt: ['away/receipt.json'] }],
  ['a proof written elsewhere', 'prove', { entry: '0', out: '/tmp/proof' }],
  ['a bundle written through a link', 'bundle', { entry: '0', out: 'away/bundle.json' }],
  ['a context written elsewhere', 'accept', { path: 'sound.json', output: 'away/new/x.json' }],
])('an agent is refused %s', async (_, action, given) => {
  const client = await reach()
  const name = LOG.includes(action) ? 'log' : 'handoff'
  const answer = await client.callTool({ name, arguments: { action, ...given } })
  expect(answer).toMatchObject({ isError: true })
  expect(JSON.stringify(answer.content)).toContain('leads out of the repository')
  expect(existsSync(join(elsewhere.root, 'new'))).toBe(false)
})

test.each<[string, string, Record<string, unknown>, RegExp]>([
  ['what its action does not take', 'handoff', { action: 'send', path: 'x', as: 'y' }, /'as'/],
  ['nothing of what its action needs', 'handoff', { action: 'send' }, /send: path is missing/],
  ['an action of another tool', 'handoff', { action: 'explain' }, /use one of .*send or receive/],
  ['a value of another action', 'chain', { action: 'chain', as: 'gif' }, /'gif'/],
])('a call that gives %s is told so', async (_, name, given, words) => {
  const client = await reach()
  const answer = await client.callTool({ name, arguments: given }).catch(error => ({
    isError: true,
    content: [{ type: 'text', text: String(error) }],
  }))
  expect(answer.isError).toBe(true)
  expect(JSON.stringify(answer.content)).toMatch(words)
})

test('a call that is cancelled ends, and the next one is answered', async () => {
  for (let i = 0; i < 4000; i++) folder.write(`many/${i}.json`, SOUND)
  const client = await reach()
  const seen: number[] = []
  const ended = new AbortController()
  const check = client.callTool(
    { name: 'check', arguments: { paths: ['many'] } },
    {
      signal: ended.signal,
      onprogress: ({ progress }) => {
        seen.push(progress)
        ended.abort()
      },
    },
  )
  await expect(check).rejects.toThrow()
  const answer = await client.callTool({ name: 'check', arguments: { paths: ['sound.json'] } })
  expect(answer).toMatchObject({ structuredContent: { summary: { accepted: 1 } } })
  expect(Math.max(...seen)).toBeLessThan(4000)
})

test('of calls that write at the same time each is done or told of a conflict', async () => {
  folder.write(FILE, stateFixture('minimal'))
  const client = await reach()
  const steps = [0, 1, 2, 3, 4, 5].map(i => ({ to: '3A', next: `Phase3B-1-Step${i}` }))
  const answers = await Promise.all(
    steps.map(step =>
      client.callTool({ name: 'state', arguments: { action: 'advance', ...step } }),
    ),
  )
  const done = answers.filter(({ isError }) => !isError)
  const told = answers
    .filter(({ isError }) => isError)
    .map(({ content }) => JSON.stringify(content))
  expect(done.length).toBeGreaterThan(0)
  expect(told.filter(text => !text.includes('conflict: SESSION_STATE.yaml was changed'))).toEqual(
    [],
  )
  expect(readRecords(folder.root).records).toHaveLength(done.length)
})

test.each([
  ['check', 'check', 'check'],
  ['explain', 'contract', 'explain'],
  ['upgrade', 'contract', 'upgrade'],
  ['adopt', 'contract', 'adopt'],
  ['chain', 'chain', 'chain'],
  ['trace', 'chain', 'trace'],
  ['send', 'handoff', 'send'],
  ['accept', 'handoff', 'accept'],
  ['lock verify', 'agents', 'lock-verify'],
  ['key list', 'agents', 'key-list'],
  ['policy check', 'agents', 'policy-check'],
  ['state next', 'state', 'next'],
  ['state fast-path', 'state', 'fast-path'],
  ['log verify', 'log', 'verify'],
  ['note list', 'handoff', 'note-list'],
  ['mission status', 'work', 'mission-status'],
])('%s is done by the tool %s as %s', (operation, tool, action) => {
  expect(toolOf(operation)).toBe(tool)
  expect(actionOf(operation, tool)).toBe(action)
})

test('the tools are twelve for models and one for hooks', () => {
  const names = deriveTools(catalogue).map(({ name }) => name)
  expect(names.sort()).toEqual(
    [
      ...['agents', 'brief', 'chain', 'check', 'contract', 'handoff', 'hook'],
      ...['log', 'new', 'resume', 'show', 'state', 'work'],
    ].sort(),
  )
})

test('the table of shared tools names operations that agents have', () => {
  const offered = deriveTools(catalogue).flatMap(({ actions }) =>
    [...actions.values()].map(({ operation }) => operation.name),
  )
  const named = Object.values(SHARED).flatMap(({ operations }) => operations)
  expect(named.filter(name => !offered.includes(name))).toEqual([])
})

test('every action of a tool says which inputs it takes, and which of them it needs', () => {
  const handoff = deriveTools(catalogue).find(({ name }) => name === 'handoff')
  const properties = (handoff?.inputSchema.properties ?? {}) as Record<
    string,
    { description?: string }
  >
  expect(properties.action?.description?.split('\n')).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^send\(path, to\?, previous\?\): Complete/),
      expect.stringMatching(/^note-list\(all\?: boolean\): List/),
      expect.stringMatching(/^accept\(path, session\?, onMismatch\?: reject\|warn\|fresh, /),
    ]),
  )
})

test('a rare input is named only by its action, and taken', async () => {
  const log = deriveTools(catalogue).find(({ name }) => name === 'log')
  expect(Object.keys(log?.inputSchema.properties as object)).not.toContain('quick')
  const client = await reach()
  const answer = await client.callTool({ name: 'log', arguments: { action: 'verify', quick: 1 } })
  expect(JSON.stringify(answer.content)).toContain('quick must be true or false')
})

test('what a person states and what executes programs is not among the tools', () => {
  const tools = deriveTools(catalogue)
  const withheld = catalogue.filter(
    ({ operation }) => operation.actor === 'human' || operation.effect === 'execute',
  )
  expect(withheld.map(({ operation }) => operation.name)).toEqual(expect.arrayContaining(['init']))
  const offered = tools.flatMap(({ actions }) => [...actions.values()])
  expect(offered.filter(entry => withheld.includes(entry))).toEqual([])
  // Another action of the same tool may take an input of that name.
  for (const entry of offered) {
    const { properties } = entry.operation.input
    const human = Object.keys(properties).filter(key => properties[key]?.actor === 'human')
    const taken = Object.keys(inputOf(entry).properties as object)
    expect(taken.filter(key => human.includes(key))).toEqual([])
  }
  const check = tools.find(({ name }) => name === 'check')
  expect(Object.keys(check?.inputSchema.properties as object)).not.toContain('baseline')
})

test('an agent is refused what a person states, although another action has an input of that name', async () => {
  const client = await reach()
  const given = { action: 'export', out: 'entries.json' }
  const answer = await client.callTool({ name: 'log', arguments: given })
  expect(answer).toMatchObject({ isError: true })
  expect(JSON.stringify(answer.content)).toContain("log export: there is no input 'out'")
})

test('every input that is a path says so, for agents may not leave the repository with it', () => {
  const paths = catalogue.flatMap(({ operation }) =>
    Object.entries(operation.input.properties)
      .filter(([, { placeholder = '' }]) => /^(?:path|file|dir|folder)/.test(placeholder))
      .map(([key, { path }]) => [`${operation.name} ${key}`, path ?? false]),
  )
  expect(paths.length).toBeGreaterThan(3)
  expect(paths.filter(([, marked]) => !marked)).toEqual([])
})
