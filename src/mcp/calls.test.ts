import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type HandoffRepository,
  NOON,
  openHandoffRepository,
} from '../../test/handoff-repository.ts'
import { connectHere } from '../../test/mcp-client.ts'
import { openTestFolder, SOUND } from '../../test/test-folder.ts'

const now = new Date(NOON).toISOString()
let repo: HandoffRepository
let client: Client
const clients: Client[] = []

async function reach(root?: string, env = {}, cwd = root): Promise<Client> {
  const reached = await connectHere({ now, ...(root !== undefined && { root }) }, env, cwd)
  clients.push(reached)
  return reached
}

interface Answer {
  readonly isError?: boolean
  readonly content: readonly { readonly text: string }[]
  // biome-ignore lint/suspicious/noExplicitAny: answers of any tool
  readonly structuredContent?: any
}

async function call(name: string, given: object, by = client) {
  const answer = (await by.callTool({ name, arguments: { ...given } })) as unknown as Answer
  const { isError = false, content, structuredContent: data } = answer
  return { isError, text: content[0]?.text ?? '', data }
}

beforeAll(async () => {
  repo = openHandoffRepository()
  repo.handoff('first', 2)
  repo.write('sound.json', SOUND)
  client = await reach(repo.root)
})
afterAll(async () => {
  for (const one of clients) await one.close()
  repo.remove()
})

const NOTE = `# Retry queue

## Status

Done, and all tests pass.

## Decisions

- One queue: two would race.
`

describe('a document is given as content', () => {
  test('to check it', async () => {
    const { isError, data } = await call('check', { content: SOUND })
    expect(isError).toBe(false)
    expect(data).toMatchObject({ summary: { accepted: 1 }, documents: [{ path: '-' }] })
  })

  test('to write a new one, after a dry run that writes nothing', async () => {
    const given = { contract: 'handoff-note', content: NOTE, slug: 'queue' }
    const before = readdirSync(join(repo.root, 'handoffs'))
    const dry = await call('new', { ...given, dryRun: true })
    expect(dry).toMatchObject({ isError: false, data: { accepted: true, path: null } })
    expect(dry.data.target).toMatch(/^handoffs\/.*queue\.md$/)
    const numbered = { number: 1, outcome: 'kept', said: 'unsaid' }
    expect(dry.data.carried[0]).toMatchObject(numbered)
    expect(readdirSync(join(repo.root, 'handoffs'))).toEqual(before)
    const made = await call('new', { ...given, carry: ['1=done:they answered'] })
    expect(made).toMatchObject({ isError: false, data: { created: true } })
    expect(readFileSync(join(repo.root, made.data.path), 'utf8')).toContain('One queue')
  })

  test('to hand over, and to note a line', async () => {
    const noted = await call('handoff', { action: 'note', content: 'The feed\nrepeats' })
    expect(noted.data).toMatchObject({ note: { text: 'The feed repeats' } })
    const dry = await call('handoff', { action: 'handoff', content: NOTE, dryRun: true })
    expect(dry.data).toMatchObject({ path: null, dryRun: true })
  })

  test('or in a file, and not both', async () => {
    const both = await call('check', { content: SOUND, paths: ['sound.json'] })
    expect(both).toMatchObject({ isError: true })
    expect(both.text).toContain('paths and content are both given')
  })

  test.each([
    ['new', { contract: 'handoff-note', content: '{"secretPlan42": 1}' }],
    ['new', { contract: 'handoff-note', content: '{"sections": {"secretPlan42": 1}}' }],
    [
      'new',
      {
        contract: 'handoff-note',
        content: '{"sections": {"a": "b"}, "carried": ["secretPlan42"]}',
      },
    ],
    ['new', { contract: 'session-context', content: '# secretPlan42' }],
    ['new', { contract: 'session-context', content: '[secretPlan42' }],
    [
      'new',
      {
        contract: 'session-context',
        content: '{"session_id": "secretPlan42", "payload": "secretPlan42"}',
      },
    ],
    [
      'handoff',
      { action: 'handoff', content: '{"frontmatter": "secretPlan42", "secretPlan42": {}}' },
    ],
    ['handoff', { action: 'note', content: `secretPlan42 ${'x'.repeat(3000)}` }],
    ['check', { content: 'secretPlan42', contract: 'secretPlan' }],
    ['new', { contract: 'handoff-note', content: ['secretPlan42'] }],
  ])('which %s %j does not echo in an error', async (name, given) => {
    const answer = await call(name, given).catch(error => ({ isError: true, text: String(error) }))
    expect(answer.isError).toBe(true)
    expect(answer.text).not.toContain('secretPlan42')
  })
})

describe('what is refused is an error that says what to do', () => {
  test('a document that may not be written', async () => {
    const { isError, text, data } = await call('new', { contract: 'handoff-note', content: 'x' })
    expect(isError).toBe(true)
    expect(text).toMatch(/^refused:\n/)
    expect(text).toContain("add '## Status'")
    expect(data).toMatchObject({ created: false, path: null })
  })

  test('a stale handoff, which a person has to verify', async () => {
    const stale = openHandoffRepository()
    stale.handoff('old', 24 * 60)
    const { isError, text } = await call('resume', {}, await reach(stale.root))
    stale.remove()
    expect(isError).toBe(true)
    expect(text).toContain('resume/')
    expect(text).toContain('a person does this in a terminal')
    expect(text).not.toMatch(/--|standard input/)
  })

  test('but what is found wrong by reading is a result', async () => {
    const { isError, data } = await call('check', { content: '{}', contract: 'session-context' })
    expect(isError).toBe(false)
    expect(data).toMatchObject({ summary: { rejected: 1 } })
  })
})

test('what is open and in force has the numbers and ids that the next handoff answers', async () => {
  const { data: dry } = await call('new', { contract: 'handoff-note', content: NOTE, dryRun: true })
  const numbers = dry.carried.map(({ number }: { number: number }) => number)
  expect(numbers.length).toBeGreaterThan(0)
  for (const tool of ['resume', 'brief']) {
    const { data } = await call(tool, {})
    expect(data.open.map(({ number }: { number: number }) => number)).toEqual(numbers)
    expect(data.open[0].text).toMatch(/\w/)
    expect(data.inForce[0].id).toMatch(/\w/)
  }
})

test('the codes are listed by family, and one family in full', async () => {
  const all = await call('contract', { action: 'explain' })
  expect(JSON.stringify(all.data).length + all.text.length).toBeLessThan(12_000)
  expect(all.data.groups[0]).toMatchObject({ codes: [], families: [expect.any(String)] })
  const one = await call('contract', { action: 'explain', code: 'handoff-note' })
  expect(one.data.groups[0].codes.length).toBeGreaterThan(3)
})

test('a long answer is cut, and its cursor has the rest without a second run', async () => {
  for (let i = 0; i < 300; i++) repo.write(`many/${i}.json`, '{"session_id": 1}')
  const given = { paths: ['many'], contract: 'session-context' }
  const first = await call('check', given)
  const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value))
  expect(bytes(first.data)).toBeLessThanOrEqual(32 * 1024)
  expect(Buffer.byteLength(first.text)).toBeLessThanOrEqual(32 * 1024)
  const paths: string[] = first.data.documents.map(({ path }: { path: string }) => path)
  let { rest } = first.data
  while (rest) {
    const [{ cursor }] = rest
    const { data } = await call('check', { ...given, cursor })
    expect(bytes(data)).toBeLessThanOrEqual(32 * 1024)
    paths.push(...data.part.map(({ path }: { path: string }) => path))
    rest = data.rest
  }
  expect(new Set(paths).size).toBe(300)
  const gone = await call('check', { ...given, cursor: '99:/documents:3' })
  expect(gone).toMatchObject({ isError: true })
  expect(gone.text).toContain('repeat the call without cursor')
})

describe('outside of a repository', () => {
  const folder = openTestFolder()
  folder.write('sound.json', SOUND)
  afterAll(() => folder.remove())

  test.each<[string, string, Record<string, string>]>([
    ['a folder', folder.root, {}],
    ['the root of the file system', '/', {}],
    ['the home folder', folder.root, { HOME: folder.root }],
  ])('%s is not searched, and the start of the server is named', async (_, cwd, env) => {
    const outside = await reach(undefined, env, cwd)
    for (const [tool, given] of [
      ['check', {}],
      ['handoff', { action: 'note', text: 'a' }],
      ['show', { path: 'sound.json' }],
    ] as const) {
      const { isError, text } = await call(tool, given, outside)
      expect(isError).toBe(true)
      expect(text).toContain('waybill mcp --root <folder>')
    }
    expect(existsSync(join(folder.root, '.waybill'))).toBe(false)
    const built = await call('contract', { action: 'explain', code: 'schema/required' }, outside)
    expect(built.isError).toBe(false)
  })

  test('a folder that the server is started with is searched', async () => {
    const { data } = await call('check', {}, await reach(folder.root))
    expect(data).toMatchObject({ summary: { accepted: 1 } })
  })
})

test('missions are listed without starting a database', async () => {
  const { data, isError } = await call('work', { action: 'mission-list' })
  expect(isError).toBe(false)
  expect(data).toEqual({ state: null, missions: [], more: false })
  const mission = '3f1c9a52-8f0e-4c55-9b1a-6b8f2f0f7a10'
  for (const action of ['mission-status', 'mission-show', 'mission-graph'])
    expect((await call('work', { action, mission })).text).toContain('not-found')
  expect(existsSync(join(repo.root, '.waybill/database'))).toBe(false)
})
