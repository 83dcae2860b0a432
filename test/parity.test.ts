import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, expect, test } from 'vitest'
import { readOperations } from '../scripts/generate/operations.ts'
import { flagOf } from '../src/cli/parse.ts'
import type { App } from '../src/operations/operation.ts'

const clone = join(import.meta.dirname, '..')
const program = join(clone, 'src/cli/waybill.ts')
const NOW = '2026-03-05T15:30:00Z'
const operations = await readOperations()
const offered = operations.filter(o => o.actor !== 'human' && o.effect !== 'execute')

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true })
})

/** A copy of the example, so that what one surface writes is not there for the next. */
function copy(): string {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-parity-'))
  folders.push(folder)
  const root = join(folder, 'nudge')
  cpSync(join(clone, 'examples/nudge'), root, { recursive: true })
  return root
}

type Input = Readonly<Record<string, unknown>>

const HANDOFF = 'docs/adr/ADR-0.3.0-quiet-hours/handoffs/2026-03-05T15-10-00Z-retry-queue.md'

/** Calls of every operation that agents have, sound ones and refused ones. */
const CALLS: readonly (readonly [name: string, input: Input])[] = [
  ['check', {}],
  ['check', { paths: ['contexts', HANDOFF], structureOnly: true }],
  ['check', { paths: ['contexts'], session: 'another' }],
  ['explain', {}],
  ['explain', { code: 'handoff-document/no-placeholders' }],
  ['show', { path: HANDOFF }],
  ['show', { path: 'missions/quiet-hours/task-graph.json' }],
  ['schema', {}],
  ['schema', { name: 'session-context' }],
  ['new', { contract: 'session-context', draft: true, dryRun: true }],
  ['new', { contract: 'handoff-document' }],
  ['brief', { budget: 900 }],
  ['brief', { paths: ['missions', 'SESSION_STATE.yaml'], budget: 2000 }],
  ['resume', { as: 'next-agent', session: 's-3' }],
  ['resume', { path: HANDOFF, as: 'next-agent' }],
  ['chain', {}],
  ['chain', { path: HANDOFF, as: 'mermaid' }],
  ['accept', { path: 'contexts/03-analysis.json', session: 'quiet-hours-design' }],
  ['accept', { path: 'contexts/03-analysis.json', session: 'x', onMismatch: 'reject' }],
  ['upgrade', { paths: ['contexts/03-analysis.json'] }],
  ['state show', { full: true }],
  ['state next', {}],
  ['state next', { mayWriteCode: true }],
  ['state advance', {}],
  ['state advance', { to: '4' }],
  ['state gate', { gate: '6', state: 'pending', artifact: ['ImplementationReview=present'] }],
  ['state check', {}],
  ['state diff', { old: 'SESSION_STATE.yaml' }],
  ['state confidence', {}],
  ['state init', { file: 'other/SESSION_STATE.yaml' }],
  ['state profile', {}],
  ['state signature', {}],
  ['state fast-path', {}],
  ['pipeline status', {}],
  ['pipeline next', {}],
  ['pipeline graph', { as: 'svg' }],
  ['pipeline set', { target: 'nse/2', status: 'FAILED' }],
]

const json = (value: unknown) => JSON.parse(JSON.stringify(value))

/** An answer without what no two calls share: the folder, and the record. */
function withoutPlace(value: unknown, root: string): unknown {
  const text = JSON.stringify(value).replaceAll(root, '<root>')
  // A record tells of the process that made it, and is named by its digest.
  return JSON.parse(text.replace(/"record":"[0-9a-f]{64}"/g, '"record":"<record>"'))
}

async function byFunction(name: string, input: Input): Promise<unknown> {
  const root = copy()
  const operation = operations.find(o => o.name === name)
  if (!operation) throw new Error(`there is no operation ${name}`)
  const stdin = () => Promise.resolve(new Uint8Array())
  const app: App = { now: Date.parse(NOW), root, cwd: root, version: '0', stdin }
  return withoutPlace(json(await operation.run(input as never, app)), root)
}

function byCommandLine(name: string, input: Input): unknown {
  const root = copy()
  const properties = operations.find(o => o.name === name)?.input.properties ?? {}
  const given = Object.entries(properties).flatMap(([key, { positional }]) => {
    const value = input[key]
    if (value === undefined) return []
    const words = [value].flat().map(String)
    return positional ? words : value === true ? [flagOf(key)] : [flagOf(key), ...words]
  })
  // A list of a flag would swallow what stands behind it.
  const positional = Object.entries(properties).flatMap(([key, p]) =>
    p.positional && input[key] !== undefined ? [input[key]].flat().map(String) : [],
  )
  const flags = given.filter(word => !positional.includes(word))
  const args = [...name.split(' '), ...positional, ...flags, '--format', 'json', '--now', NOW]
  const { stdout, stderr } = spawnSync(process.execPath, [program, ...args, '--root', root], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 ** 2,
  })
  if (stdout === '') throw new Error(stderr)
  return withoutPlace(JSON.parse(stdout), root)
}

async function byTool(name: string, input: Input): Promise<unknown> {
  const root = copy()
  const client = new Client({ name: 'parity', version: '1.0.0' })
  const args = [program, 'mcp', '--root', root, '--now', NOW]
  await client.connect(new StdioClientTransport({ command: process.execPath, args }))
  try {
    // The client holds every answer against the schema that it was told.
    await client.listTools()
    const [tool = name, action] = name.split(' ')
    const given = { ...(action !== undefined && { action }), ...input }
    const answer = await client.callTool({ name: tool, arguments: given })
    if (answer.isError) throw new Error(JSON.stringify(answer.content))
    return withoutPlace(answer.structuredContent, root)
  } finally {
    await client.close()
  }
}

test.each(CALLS)(
  '%s %j answers the same in every way it can be called',
  async (name, input) => {
    const answer = await byFunction(name, input)
    expect(byCommandLine(name, input)).toEqual(answer)
    expect(await byTool(name, input)).toEqual(answer)
  },
  30_000,
)

test('every operation that agents have is called', () => {
  expect(new Set(CALLS.map(([name]) => name))).toEqual(new Set(offered.map(({ name }) => name)))
})
