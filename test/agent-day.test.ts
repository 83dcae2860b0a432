import { afterAll, beforeAll, expect, test } from 'vitest'
import { ANALYSIS, PRODUCT } from './governed-pair.ts'
import { type GovernedRepository, openGovernedRepository } from './governed-repository.ts'
import { waybill } from './waybill.ts'

// What a person prepares: the agents with their prompts, lock and keys, and the rules of the repository.
let repository: GovernedRepository
beforeAll(async () => {
  repository = await openGovernedRepository()
  repository.write(
    'package.json',
    '{ "name": "parcels", "dependencies": { "express": "5.1.0" } }\n',
  )
  repository.write('AGENTS.md', '# Rules\n\nEvery change has a test.\n')
  repository.write('src/reader.ts', 'export const entries: string[] = []\n')
  repository.commit()
})
afterAll(() => repository.remove())

const MOST_CALLS = 25

/** The calls of the day, as an agent would type them. */
const calls: string[] = []

/** Makes one call, which has to succeed; what the agent says itself goes to standard input. */
async function call(args: readonly string[], content?: unknown): Promise<string> {
  const stdin = content === undefined ? undefined : JSON.stringify(content)
  const typed = args.map(word => (/^[\w./=*-]+$/.test(word) ? word : `'${word}'`)).join(' ')
  calls.push(`waybill ${typed}${stdin === undefined ? '' : ` <<< '${stdin}'`}`)
  const { status, stdout, stderr } = await waybill(args, {
    cwd: repository.root,
    ...(stdin !== undefined && { stdin }),
  })
  expect(status, `${calls.at(-1)}\n${stdout}${stderr}`).toBe(0)
  return stdout
}

/** The files that the agent wrote besides its code: none of them by a call, or by hand after one. */
async function byHand(): Promise<string[]> {
  const state = await waybill(['state', 'check', '--format', 'json'], { cwd: repository.root })
  const { report, written } = JSON.parse(state.stdout)
  const files = repository.git('ls-files', '--modified', '--others', '--exclude-standard')
  const byCalls = /^(?:src\/reader\.ts|handoffs\/.*|outbox\/.*)$/
  const others = files
    .trim()
    .split('\n')
    .filter(name => !byCalls.test(name))
  return others.filter(name => name !== report.path || written !== 'by-waybill')
}

const PLAN = {
  ArchitectureDecisions: [
    {
      ID: 'AD-2026-001',
      Decision: ['Entries are dropped by their number.'],
      EvidenceRefs: ['src/reader.ts'],
      Status: 'approved',
    },
  ],
  TouchedSurface: {
    FilesPlanned: ['src/reader.ts'],
    ContractsPlanned: [],
    SchemaPlanned: [],
    SecuritySensitive: false,
  },
}
const BUILT = {
  BuildEvidence: {
    status: 'partially-provided',
    items: [{ tool: 'npm', command: 'npm test', result: 'pass' }],
  },
}
const REQUEST = {
  type: 'analysis',
  description: 'Count how many entries the feed repeats.',
  input_data: { feed: 'parcels' },
  constraints: ['Say how sure you are.'],
  expected_output: 'Counts per month.',
}

test('a day of an agent takes at most 25 calls, and no file is edited or invented for it', async () => {
  // The session starts: a rule, the ticket, and the way to the code.
  await call(['note', 'Only Ada pushes to main', '--rule', '--scope', 'git push*'])
  await call(['state', 'init', '--ticket', 'ORD-118: drop repeated entries'])
  for (const to of ['2', '2.1', '1.2', '1.3', '4']) await call(['state', 'advance', '--to', to])
  await call(['state', 'advance', '--artifact', 'ArchitectureDecisions', '--from', '-'], PLAN)
  await call(['state', 'gate', '5', 'approved'])
  await call(['state', 'advance', '--artifact', 'TestPlan'])
  await call(['state', 'gate', '5.3', 'approved'])
  for (const gate of ['5.4', '5.5', '5.6']) await call(['state', 'gate', gate, 'not-applicable'])
  expect(await call(['state', 'next', '--may-write-code'])).toContain('yes')

  // It works, and leaves what the next one needs.
  repository.write('src/reader.ts', 'export const entries = new Set<string>()\n')
  await call(['note', 'The feed repeats entries after midnight'])
  await call(['state', 'advance', '--to', '6', '--artifact', 'BuildEvidence', '--from', '-'], BUILT)
  await call(['state', 'gate', '6', 'approved'])
  await call(['handoff', '--state', 'Entries are kept once.', '--next', 'Count the repeats'])

  // The next session resumes, and passes a question on to a second agent.
  expect(await call(['resume'])).toContain('Only Ada pushes to main')
  const between = ['--agent', PRODUCT, '--to', ANALYSIS]
  await call(['new', 'agent-handoff', 'outbox/count.draft.json', ...between, '--from', '-'], {
    context: { request: REQUEST },
  })
  await call(['send', 'outbox/count.draft.json', '--format', 'json'])
  const inbox = await call(['receive', '--list', '--as', ANALYSIS, '--format', 'json'])
  const [{ path, asked }] = JSON.parse(inbox).waiting
  expect(asked.description).toBe(REQUEST.description)
  expect(asked.constraints.join()).toContain('Only Ada pushes to main')
  expect(await call(['receive', path, '--as', ANALYSIS])).toContain('accepted')

  process.stdout.write(`${calls.join('\n')}\n`)
  expect(calls.length).toBeLessThanOrEqual(MOST_CALLS)
  expect(await byHand()).toEqual([])
})
