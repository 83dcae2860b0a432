import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { faultsOf, type Json, verbs } from './output.ts'
import { CALLS, folder } from './output-calls.ts'
import { rule } from './output-files.ts'
import { SOUND } from './test-folder.ts'
import { waybill as run } from './waybill.ts'

afterAll(() => rmSync(folder, { recursive: true }))

/** What the command line prints. */
async function waybill(place: string, line: string, stdin = '') {
  const args = [...line.split(' '), '--format', 'json']
  const { status, stdout, stderr } = await run(args, { cwd: join(folder, place), stdin })
  if (stdout === '') throw new Error(`nothing was printed: ${stderr}`)
  return { status, output: JSON.parse(stdout) as Json }
}

/** The verb of a line, with its group where it has one. */
function verbOf(line: string): string {
  const [first = '', second = ''] = line.split(' ')
  return verbs.includes(`${first} ${second}`) ? `${first} ${second}` : first
}

describe('what the command line prints is valid by the published schema', () => {
  test.each(CALLS)('in %s: waybill %s', async (place, line, wanted, part) => {
    const { status, output } = await waybill(place, line, SOUND)
    expect(faultsOf(verbOf(line), output)).toEqual([])
    expect(output).toMatchObject(part)
    if (wanted >= 0) expect(status).toBe(wanted)
  })

  const called = new Set(CALLS.map(([, line]) => verbOf(line)))
  // Verbs of missions need a database: missions/outputs.test.ts calls them.
  const others = verbs.filter(verb => !called.has(verb) && !verb.startsWith('mission '))
  test.runIf(others.length > 0).for(others)(
    'waybill %s, which has no call of its own',
    async verb => {
      const { output } = await waybill('plain', verb, SOUND)
      expect(faultsOf(verb, output)).toEqual([])
    },
  )
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

async function answerTo(call: string): Promise<Json> {
  const answer = answers.get(call) ?? (await waybill('plain', call)).output
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
      'with what people read of its rule',
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
  ])('%s: %s, %s', async (_, call, ...change) => {
    const [verb = ''] = call.split(' ')
    const output = await answerTo(call)
    expect(faultsOf(verb, output)).toEqual([])
    expect(faultsOf(verb, changed(output, change))).not.toEqual([])
  })
})
