import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FILE, stateFixture } from '../../test/state-folder.ts'
import { FAULTY, openTestFolder, SOUND, type TestFolder } from '../../test/test-folder.ts'
import { readRecords } from '../workspace/index.ts'
import { catalogue } from './catalogue.generated.ts'
import { deriveTools } from './tools.ts'

const program = join(import.meta.dirname, '../cli/waybill.ts')

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
})
afterAll(async () => {
  for (const client of clients) await client.close()
  folder.remove()
  elsewhere.remove()
})

/** A client of a server process of its own. */
async function connect(version?: string): Promise<Client> {
  const mode = version === undefined ? 'legacy' : { pin: version }
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } })
  const args = [program, 'mcp', '--root', folder.root, '--now', '2026-06-01T00:00:00Z']
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

  test('finds at most a dozen tools, each of which says what it takes and what it answers', async () => {
    const { tools } = await client.listTools()
    expect(tools.length).toBeLessThanOrEqual(12)
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

test('a call that is cancelled ends, and the next one is answered', async () => {
  for (let i = 0; i < 4000; i++) folder.write(`many/${i}.json`, SOUND)
  const client = await connect()
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
  const client = await connect()
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

test('what a person states and what executes programs is not among the tools', () => {
  const tools = deriveTools(catalogue)
  const withheld = catalogue.filter(
    ({ operation }) => operation.actor === 'human' || operation.effect === 'execute',
  )
  expect(withheld.map(({ operation }) => operation.name)).toEqual(expect.arrayContaining(['init']))
  const offered = tools.flatMap(({ actions }) => [...actions.values()])
  expect(offered.filter(entry => withheld.includes(entry))).toEqual([])
  for (const { inputSchema, actions } of tools) {
    const human = [...actions.values()].flatMap(({ operation }) =>
      Object.entries(operation.input.properties).filter(([, p]) => p.actor === 'human'),
    )
    const keys = Object.keys(inputSchema.properties as object)
    expect(keys.filter(key => human.some(([name]) => name === key))).toEqual([])
  }
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
