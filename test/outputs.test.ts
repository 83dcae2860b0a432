import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, extname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { fixturesOf } from './fixture.ts'
import { faultsOf, type Json, verbs } from './output.ts'

const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'waybill-outputs-'))
afterAll(() => rmSync(folder, { recursive: true }))

const context = {
  schema_version: '1.0.0',
  session_id: 's-1',
  source_agent: { id: 'ps-researcher', family: 'ps' },
  target_agent: { id: 'ps-analyst', family: 'ps' },
  timestamp: '2026-01-11T12:00:00Z',
  payload: { key_findings: [{ id: 'F-001', summary: 'It works.' }], confidence: { overall: 0.8 } },
}
const sound = JSON.stringify(context, null, 2)
const faulty = JSON.stringify({ ...context, source_agent: { id: 'nse-architect', family: 'ps' } })
const rule = 'session-context/agent-id-names-family'
const block = '```yaml\nsession_context:\n  schema_version: "1.0.0"\n```\n'
const excusing = `rules:\n  ${rule}: { severity: off, reason: ids are being renamed }\n`

/** Everything that the calls below are made on, a folder for each state of a repository. */
const files: Readonly<Record<string, string>> = {
  'plain/sound.json': sound,
  'plain/faulty.json': faulty,
  'plain/incomplete.json': '{"session_context": {"schema_version": 1}}',
  'plain/other.json': '{"x": 1}',
  'plain/torn.json': '{',
  'plain/page.md': `# Report\n\n<!-- waybill-ignore -->\n${block}\n${block}`,
  'plain/many.md': block.repeat(5),
  'plain/warned.json': JSON.stringify({ ...context, workflowid: 'w' }),
  'plain/handoffs/2026-02-11T14-30-00Z-a.md': `---\nmode: CREATE\n---\n\ntoken = ${'abc123'.repeat(3)}\n`,
  'excused/waybill.yaml': excusing,
  'excused/a.json': faulty,
  'old/a.json': faulty,
  'empty/README.md': '# Nothing\n',
  'begun/.gitignore': 'dist/\n',
  'misconfigured/waybill.yaml': 'nonsense: 1\n',
}
for (const [path, text] of Object.entries(files)) {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}
symlinkSync('unreadable.json', join(folder, 'plain/unreadable.json'))
/** The example of a contract of each family, copied to a file of its own. */
const examples = [
  'session-context.v1',
  'orchestration.v1',
  'handoff-document.v1',
  'session-state.v1',
  'agent-handoff.v1',
  'mission-task-graph.v1',
].map(id => {
  const example = fixturesOf(id).find(f => f.kind === 'valid' && f.name === 'example')
  if (!example) throw new Error(`${id} has no example`)
  const file = `${id}${extname(example.file)}`
  copyFileSync(example.file, join(folder, 'plain', file))
  return { name: id.replace('.v1', ''), file }
})

/** What the real process prints. */
function waybill(place: string, line: string, input = '') {
  const args = [join(root, 'src/cli/waybill.ts'), ...line.split(' '), '--format', 'json']
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: join(folder, place),
    encoding: 'utf8',
    input,
  })
  if (stdout === '') throw new Error(`nothing was printed: ${stderr}`)
  return { status, output: JSON.parse(stdout) as Json }
}

/** Calls in the order in which they are made: where, what, the exit code, and what shows that the case is the one meant. */
const CALLS: readonly (readonly [place: string, line: string, status: number, part: object])[] = [
  ['plain', 'check sound.json', 0, { summary: { accepted: 1 } }],
  ['plain', 'check faulty.json', 1, { documents: [{ diagnostics: [{ code: rule }] }] }],
  ['plain', 'check incomplete.json', 1, { documents: [{ contract: 'session-context' }] }],
  ['plain', 'check warned.json', 0, { summary: { accepted: 1, warnings: 1 } }],
  ['plain', 'check other.json', 1, { documents: [{ contract: null, version: null }] }],
  [
    'plain',
    'check torn.json',
    1,
    { documents: [{ diagnostics: [{ code: 'document/unrecognised' }, { code: 'syntax/json' }] }] },
  ],
  [
    'plain',
    'check unreadable.json',
    1,
    { documents: [{ diagnostics: [{ code: 'document/unreadable' }] }] },
  ],
  ['plain', 'check page.md', 1, { ignored: 1, documents: [{ path: 'page.md#L9' }] }],
  ['plain', 'check faulty.json --structure-only', 0, { structureOnly: true }],
  ['plain', 'check - --stdin-path a/b.json', 0, { documents: [{ path: 'a/b.json' }] }],
  ['plain', 'check -', 0, { documents: [{ path: '-' }] }],
  ['plain', 'check handoffs', 1, { documents: [{ contract: 'handoff-document' }] }],
  ['plain', 'check', 1, { structureOnly: false }],
  ['excused', 'check', 0, { documents: [{ suppressed: [{ reason: 'ids are being renamed' }] }] }],
  ['old', 'check --baseline', 0, { baseline: 1, documents: [{ suppressed: [{ code: rule }] }] }],
  ['old', 'check', 0, { documents: [{ suppressed: [{ reason: 'in the baseline' }] }] }],
  ['empty', 'check', 0, { summary: { documents: 0 }, documents: [] }],
  ['plain', 'explain', 0, {}],
  ['plain', 'explain session-state', 0, { groups: [{ contract: 'session-state' }] }],
  ['plain', `explain ${rule}`, 0, { rule: { passing: {}, failing: {} } }],
  ['plain', 'explain agent-handoff/prompt-hash-matches-lock', 0, { rule: { unconditional: true } }],
  ['plain', 'explain agent-handoff/fresh-when-received', 0, { rule: { phase: 'receive' } }],
  ['plain', 'explain schema/additional-properties', 0, { rule: { severity: 'depends' } }],
  ['plain', 'explain session-state/not-checked', 0, { rule: { contract: 'session-state' } }],
  ['plain', 'schema', 0, {}],
  ['plain', 'schema session-context', 0, { $id: 'urn:waybill:schema:session-context.v1' }],
  ['plain', 'schema config', 0, { $id: 'urn:waybill:schema:config.v1' }],
  ...examples.map(
    ({ name, file }) => ['plain', `show ${file}`, -1, { documents: [{ contract: name }] }] as const,
  ),
  ['plain', 'show sound.json', 0, { documents: [{ accepted: true }] }],
  ['plain', 'show incomplete.json', 1, { documents: [{ accepted: false, id: null }] }],
  ['plain', 'show torn.json', 1, { documents: [{ contract: null }] }],
  ['plain', 'show other.json', 1, { documents: [{ contract: null }] }],
  ['plain', 'show unreadable.json', 1, { documents: [{ sections: [] }] }],
  ['plain', 'show page.md#L9', 1, { documents: [{ path: 'page.md#L9' }], listed: [] }],
  ['plain', 'show many.md', 1, { documents: [], listed: [{}, {}, {}, {}, {}] }],
  ['begun', 'init --root . --dry-run', 0, { dryRun: true }],
  ['begun', 'init --root .', 0, { steps: [{ action: 'created' }, { action: 'changed' }, {}] }],
  ['begun', 'init --root .', 0, { steps: [{ action: 'kept' }, { action: 'kept' }, {}] }],
  ['begun', 'doctor --root .', 0, { summary: { errors: 0 } }],
  ['misconfigured', 'doctor', 2, { summary: { errors: 1 } }],
]

/** The verb of a line, with its group where it has one. */
function verbOf(line: string): string {
  const [first = '', second = ''] = line.split(' ')
  return verbs.includes(first) ? first : `${first} ${second}`
}

describe('what the process prints is valid by the published schema', () => {
  test.each(CALLS)('in %s: waybill %s', (place, line, wanted, part) => {
    const { status, output } = waybill(place, line, sound)
    expect(faultsOf(verbOf(line), output)).toEqual([])
    expect(output).toMatchObject(part)
    if (wanted >= 0) expect(status).toBe(wanted)
  })

  test('every verb is called', () => {
    expect(new Set(CALLS.map(([, line]) => verbOf(line)))).toEqual(new Set(verbs))
  })
})

/** A part of an answer; `undefined` takes it away. */
type Change = readonly [path: string, value: unknown]

function changed(output: unknown, [path, value]: Change): unknown {
  const copy = structuredClone(output)
  const keys = path.split('/')
  const last = keys.pop() ?? ''
  const place = keys.reduce((part, key) => part[key] as Json, copy as Json)
  if (value === undefined) delete place[last]
  else place[last] = value
  return copy
}

const answers = new Map<string, Json>()

function answerTo(call: string): Json {
  const answer = answers.get(call) ?? waybill('plain', call).output
  answers.set(call, answer)
  return answer
}

describe('an answer is refused', () => {
  test.each<readonly [why: string, call: string, ...Change]>([
    ['without a figure', 'check faulty.json', 'summary/errors', undefined],
    ['with a figure that is none', 'check faulty.json', 'summary/errors', -1],
    ['with a key of its own', 'check faulty.json', 'took', 12],
    ['without the contract', 'check faulty.json', 'documents/0/contract', undefined],
    ['with a contract that is no name', 'check faulty.json', 'documents/0/contract', 1],
    [
      'with a severity that there is not',
      'check faulty.json',
      'documents/0/diagnostics/0/severity',
      'fatal',
    ],
    ['with a line 0', 'check faulty.json', 'documents/0/diagnostics/0/line', 0],
    ['with the line of source', 'check faulty.json', 'documents/0/diagnostics/0/excerpt', 'x'],
    [
      'with what people are told of its rule',
      'check faulty.json',
      'documents/0/diagnostics/0/why',
      'x',
    ],
    ['without a reason', 'check faulty.json', 'documents/0/suppressed/0', { code: 'a', line: 1 }],
    ['with rules that are no codes', 'check faulty.json', 'documents/0/notRun/0', 1],
    ['with a baseline that is no figure', 'check faulty.json', 'baseline', true],
    ['that is two at once', `explain ${rule}`, 'groups', []],
    ['without a reason why', `explain ${rule}`, 'rule/why', undefined],
    ['with a phase that there is not', `explain ${rule}`, 'rule/phase', 'check'],
    [
      'with a line that is marked as not marked',
      `explain ${rule}`,
      'rule/failing/lines/0/marked',
      false,
    ],
    ['without the codes of a group', 'explain session-context', 'groups/0/codes', undefined],
    ['that is neither a list nor a schema', 'schema', 'contracts', undefined],
    ['with another way of writing', 'schema', 'contracts/0/formats/0', 'toml'],
    ['that is a schema without a name', 'schema config', '$id', undefined],
    ['with an id that is left out', 'show sound.json', 'documents/0/id', undefined],
    [
      'with the line of source in a view',
      'show faulty.json',
      'documents/0/diagnostics/0/excerpt',
      'x',
    ],
    [
      'with a cell that is no text',
      'show sound.json',
      'documents/0/sections/0/table',
      { columns: ['A'], rows: [[1]] },
    ],
    ['with a part that has no title', 'show sound.json', 'documents/0/sections/0', { text: 'x' }],
    ['without the list', 'show sound.json', 'listed', undefined],
    ['with another action', 'init --dry-run', 'steps/0/action', 'deleted'],
    ['without a next step', 'init --dry-run', 'next', undefined],
    ['with another status', 'doctor', 'items/0/status', 'fine'],
    ['with a remedy that says nothing', 'doctor', 'items/0/remedy', null],
  ])('%s: %s, %s', (_, call, ...change) => {
    const [verb = ''] = call.split(' ')
    const output = answerTo(call)
    expect(faultsOf(verb, output)).toEqual([])
    expect(faultsOf(verb, changed(output, change))).not.toEqual([])
  })
})
