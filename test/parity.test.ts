import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { init, send } from '../src/operations/index.ts'
import type { App } from '../src/operations/operation.ts'
import { draftOf } from './governed-repository.ts'
import { faultsOf, type Json } from './output.ts'
import {
  byCommandLine,
  byFunction,
  byTool,
  forAgents,
  type Input,
  offered,
  onlyReads,
  type Place,
} from './ways.ts'

const clone = join(import.meta.dirname, '..')
const NOW = '2026-03-05T15:30:00Z'
const STATEMENTS =
  '{"statements": [{"id": "R-001", "kind": "rule", "text": "Never push by force."}]}'

const readsLog = (name: string) => /^(?:log|trace|policy explain)(?: |$)/.test(name)

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true })
})

/** A copy of the example, so that what one surface writes is not there for the next; with keys where they are needed. */
async function copy(name: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-parity-'))
  folders.push(folder)
  const root = join(folder, 'nudge')
  const source = readsLog(name) ? await recorded() : join(clone, 'examples/nudge')
  cpSync(source, root, { recursive: true })
  // A folder is copied without its mode, and keys that others may look at are not used.
  const keys = join(root, '.waybill/keys')
  if (existsSync(keys)) chmodSync(keys, 0o700)
  if (['send', 'receive'].includes(name)) await govern(root)
  if (name === 'score') writeFileSync(join(root, 'statements.json'), STATEMENTS)
  return root
}

let log: Promise<string> | undefined

/** A folder with keys and a log, made once: what only reads them is to answer the same to the byte. */
function recorded(): Promise<string> {
  log ??= copy('').then(async root => {
    await govern(root)
    return root
  })
  return log
}

/** Gives a copy keys, drafts, and a handoff that was sent just now. */
async function govern(root: string): Promise<void> {
  const app = appAt(root)
  await init.run({}, app)
  mkdirSync(join(root, 'drafts'), { recursive: true })
  const drafts = {
    retry: draftOf('domain-01-scheduling', 'domain-02-delivery'),
    refused: draftOf('domain-02-delivery', 'domain-03-patient-care'),
  }
  for (const [name, draft] of Object.entries(drafts))
    writeFileSync(join(root, 'drafts', `${name}.json`), JSON.stringify(draft))
  const { document, envelope } = await send.run({ path: 'drafts/retry.json' }, app)
  renameSync(join(root, document ?? ''), join(root, 'drafts/sent.json'))
  renameSync(join(root, envelope ?? ''), join(root, 'drafts/sent.dsse.json'))
}

/** Where the log of a copy is remembered: next to it, for no two copies may share that. */
const stateOf = (root: string) => `${root}-state`

function appAt(root: string): App {
  const stdin = () => Promise.resolve(new Uint8Array())
  const stateHome = join(stateOf(root), 'waybill')
  return { now: Date.parse(NOW), root, cwd: root, version: '0', stdin, stateHome }
}

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
  ['score', { file: HANDOFF, against: 'statements.json' }],
  ['resume', { as: 'next-agent', session: 's-3' }],
  ['resume', { path: HANDOFF, as: 'next-agent' }],
  ['chain', {}],
  ['chain', { path: HANDOFF, as: 'mermaid' }],
  ['note', { text: 'Only Ada pushes', rule: true, scope: 'git push*' }],
  ['note', { text: 'One pass', decision: true, agent: 'coder' }],
  ['note', { done: '1', text: 'said' }],
  ['note list', {}],
  ['accept', { path: 'contexts/03-analysis.json', session: 'quiet-hours-design' }],
  ['accept', { path: 'contexts/03-analysis.json', session: 'x', onMismatch: 'reject' }],
  ['adopt', { paths: ['HANDOFF-archive.md'], dryRun: true }],
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
  [
    'hook',
    {
      agent: 'claude-code',
      event: 'PreToolUse',
      tool: 'Bash',
      toolInput: '{"command":"git push"}',
    },
  ],
  ['pipeline status', {}],
  ['pipeline next', {}],
  ['pipeline graph', { as: 'svg' }],
  ['pipeline set', { target: 'nse/2', status: 'FAILED' }],
  ['key list', {}],
  ['policy check', {}],
  ['policy check', { folder: 'agents' }],
  ['policy explain', { decision: '0', artifact: true }],
  ['policy explain', { decision: 'domain-03-patient-care' }],
  ['log show', {}],
  ['log show', { about: '0' }],
  ['log tail', { limit: 1 }],
  ['log export', { from: 0 }],
  ['trace', { id: 'domain-01-scheduling' }],
  ['trace', { id: 'nothing' }],
  ['send', { path: 'drafts/retry.json', to: 'drafts' }],
  ['send', { path: 'drafts/refused.json' }],
  ['receive', { path: 'drafts/sent.json', as: 'domain-02-delivery' }],
  ['receive', { path: 'drafts/retry.json' }],
  ['log verify', {}],
  ['log verify', { quick: true, ledger: '.waybill/ledger' }],
  ['log prove', { entry: '0' }],
  ['log prove', { from: 0 }],
  ['log checkpoint', {}],
  ['log bundle', { entry: '0' }],
  ['lock verify', {}],
  ['lock verify', { manifest: 'agents/prompt-manifest.json', lock: 'agents/prompt-lock.json' }],
]

/** An answer without what no two calls share: the folder, and the record. */
function withoutPlace(value: unknown, root: string): unknown {
  const text = JSON.stringify(value).replaceAll(root, '<root>')
  // A record names the process that made it, and is named by its digest; keys, ids and signatures differ per copy.
  const plain = text
    .replace(/"record":"[0-9a-f]{64}"/g, '"record":"<record>"')
    .replace(/"(sig|payload|leaf|digest|keyid)":"[^"]+"/g, '"$1":"<$1>"')
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<uuid>')
    .replace(/"(id|decision_id)":"[0-9a-f]{64}"/g, '"$1":"<$1>"')
    .replace(/"(sha256|keys)":(?:"[0-9a-f]{64}"|\["[0-9a-f]{64}"\])/g, '"$1":"<$1>"')
  return JSON.parse(plain)
}

const shared = new Map<string, Promise<string>>()

/** The copy of all calls that only read the same, else a copy of its own. */
function rootFor(name: string): Promise<string> {
  if (!onlyReads(name)) return copy(name)
  const kind = readsLog(name) ? 'log' : name === 'score' ? name : ''
  const root = shared.get(kind) ?? copy(name)
  shared.set(kind, root)
  return root
}

/** A copy of the example as a place to call an operation in. */
async function placeFor(name: string): Promise<Place> {
  const root = await rootFor(name)
  return { root, now: NOW, env: { XDG_STATE_HOME: stateOf(root) }, app: appAt(root) }
}

async function answered(way: typeof byFunction, name: string, input: Input): Promise<unknown> {
  const place = await placeFor(name)
  const answer = await way(name, input, place)
  expect(faultsOf(name, answer as Json)).toEqual([])
  return withoutPlace(answer, place.root)
}

const called = new Set(CALLS.map(([name]) => name))
/** Operations without a call of their own are called without input; those of missions are in missions/parity.test.ts. */
const others = offered
  .filter(name => !called.has(name) && !name.startsWith('mission '))
  .map(name => [name, {}] as const)

test.each([...CALLS, ...others])(
  '%s %j answers the same in every way it can be called',
  async (name, input) => {
    const answer = await answered(byFunction, name, input)
    expect(await answered(byCommandLine, name, input)).toEqual(answer)
    expect(await answered(byTool, name, input)).toEqual(forAgents(name, input, answer))
  },
)
