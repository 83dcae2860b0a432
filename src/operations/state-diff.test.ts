import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { faultsOf } from '../../test/output.ts'
import {
  AT_GATE,
  type Change,
  FILE,
  IN_PHASE_5,
  openStateFolder,
  rulesIn,
  stateFixture,
} from '../../test/state-folder.ts'
import check from './state-check.ts'
import confidence from './state-confidence.ts'
import diff from './state-diff.ts'
import init from './state-init.ts'
import next from './state-next.ts'

let state: ReturnType<typeof openStateFolder>
beforeEach(() => {
  state = openStateFolder()
})
afterEach(() => state.remove())

/** What changed from phase 5 with its gate to the same with some lines changed. */
async function changed(...changes: readonly Change[]) {
  state.write('old.yaml', state.begin(...IN_PHASE_5))
  state.begin(...IN_PHASE_5, ...changes)
  const output = await diff.run({ old: join(state.root, 'old.yaml') }, state.app())
  expect(faultsOf('state diff', output)).toEqual([])
  return output
}

describe('a difference is described in the words of the workflow', () => {
  test.each<readonly [why: string, changes: readonly Change[], texts: readonly string[]]>([
    ['the same', [], []],
    [
      'a phase forward',
      [["'5'", "'5.3'"]],
      ['moved from 5 (architecture gate) to 5.3 (test quality gate)'],
    ],
    [
      'a phase back',
      [["'5'", "'4'"]],
      ['went back from 5 (architecture gate) to 4 (ticket planning)'],
    ],
    ['a mode', [['NORMAL', 'BLOCKED']], ['NORMAL → BLOCKED, blocked']],
    ['a confidence', [['85', '60']], ['85 → 60, below 70, so the session cannot advance']],
    ['a pointer', [['5.3-TestQualityGate', '4-Plan']], ['Phase5.3-TestQualityGate → Phase4-Plan']],
    [
      'a gate that passes',
      [['P5-Architecture: pending', 'P5-Architecture: approved']],
      ['pending → approved, passes'],
    ],
    [
      'a gate that refuses',
      [['P5-Architecture: pending', 'P5-Architecture: rejected']],
      ['pending → rejected, refuses'],
    ],
    [
      'an artifact',
      [['TouchedSurface: present', 'TouchedSurface: missing']],
      ['present → missing'],
    ],
    [
      'an artifact that is required newly',
      [['[TouchedSurface]', '[TouchedSurface, ApiDiff]']],
      ['nothing → not stated'],
    ],
    [
      'a decision that was rewritten',
      [['ID: AD-1', 'ID: AD-1\n    Context: [other]']],
      ['AD-1 rewritten, although it was approved'],
    ],
    [
      'a decision that was dropped, and one added',
      [['AD-1', 'AD-2']],
      ['AD-1 dropped, although it was approved', 'AD-2 added, approved'],
    ],
    [
      'a profile',
      [['ActiveProfile: backend-java', 'ActiveProfile: frontend']],
      ['backend-java → frontend'],
    ],
    ['a list', [['FilesPlanned: []', 'FilesPlanned: [a.ts]']], ['FilesPlanned changed']],
    ['a new part', [[/$/, 'DecisionDrivers: [speed]\n']], ['added']],
  ])('%s', async (_, changes, texts) => {
    const { differences } = await changed(...changes)
    expect(differences.map(({ text }) => text)).toEqual(texts)
  })
})

test('what the rules of the transition say is shown with it', async () => {
  const output = await changed(["'5'", "'5.3'"])
  expect(output.accepted).toBe(false)
  expect(rulesIn(output)).toContain('move-skips-no-gate')
  expect(diff.failed?.(output)).toBe(true)
})

test('the older state may come from standard input, and begin with a comment', async () => {
  const old = `# The state\n${state.begin()}`
  const app = state.app({ stdin: async () => new TextEncoder().encode(old) })
  expect(await diff.run({ old: '-' }, app)).toMatchObject({ before: '-', differences: [] })
})

test('a faulty state cannot be compared', async () => {
  state.write('old.yaml', 'Phase: nine\n')
  state.begin()
  const old = join(state.root, 'old.yaml')
  await expect(diff.run({ old }, state.app())).rejects.toMatchObject({ code: 'usage' })
})

describe('the confidence', () => {
  test('is shown line by line next to the stated one, and changes nothing', async () => {
    state.write(FILE, stateFixture('example'))
    const output = await confidence.run({}, state.app())
    expect(faultsOf('state confidence', output)).toEqual([])
    const counted = output.lines.filter(({ counts }) => counts)
    const sum = counted.reduce((total, { points }) => total + points, 0)
    expect(output).toMatchObject({ stated: 86, computed: sum, enough: true })
    expect(state.read()).toBe(stateFixture('example'))
  })
})

describe('the check', () => {
  test('is the one of waybill check, with the form and who wrote the file', async () => {
    state.begin([/$/, AT_GATE])
    const before = await check.run({}, state.app())
    expect(faultsOf('state check', before)).toEqual([])
    expect(before).toMatchObject({
      report: { accepted: true, contract: 'session-state' },
      form: 'FULL',
      demanded: 'MIN',
      written: 'unknown',
    })
    await state.move()
    expect(await check.run({}, state.app())).toMatchObject({ written: 'by-waybill' })
    state.add('# a thought\n')
    expect(await check.run({}, state.app())).toMatchObject({ written: 'by-hand' })
  })

  test('compares with the state before it where that is named', async () => {
    state.write('old.yaml', state.begin())
    state.begin(["'4'", "'5.5'"], [/$/, AT_GATE])
    const output = await check.run({ previous: join(state.root, 'old.yaml') }, state.app())
    expect(output.report.diagnostics.map(({ code }) => code)).toContain(
      'session-state/move-skips-no-gate',
    )
    expect(check.failed?.(output)).toBe(true)
  })
})

describe('the beginning', () => {
  test.each([
    [{}, { mode: 'NORMAL', confidence: 70 }],
    [{ confidence: 40 }, { mode: 'DRAFT', confidence: 40 }],
    [{ file: 'sub/folder/state.json', ticket: 'ORD-118: hold' }, { mode: 'NORMAL' }],
  ])('%j is a sound state', async (given, expected) => {
    const output = await init.run(given, state.app())
    expect(faultsOf('state init', output)).toEqual([])
    expect(output.state).toMatchObject({ phase: '1.1', ...expected })
    const file = 'file' in given ? given.file : FILE
    const checked = await check.run({ file: join(state.root, file) }, state.app())
    expect(checked.report.diagnostics.filter(({ severity }) => severity !== 'info')).toEqual([])
  })

  test('overwrites nothing', async () => {
    const text = state.begin()
    await expect(init.run({}, state.app())).rejects.toMatchObject({ code: 'exists' })
    expect(state.read()).toBe(text)
  })

  test.each([
    [{ confidence: 101 }, 'usage'],
    [{ ticket: 'a\nb' }, 'usage'],
    [{ file: 'notes.md' }, 'usage'],
    [{ file: '../elsewhere.yaml' }, 'input-output'],
  ] as const)('%j is an error', async (given, code) => {
    await expect(init.run(given, state.app())).rejects.toMatchObject({ code })
  })
})

describe('what comes next', () => {
  const ask = () => next.run({}, state.app())

  test('is shown with the obstacles to each step', async () => {
    state.begin(...IN_PHASE_5)
    const output = await ask()
    expect(faultsOf('state next', output)).toEqual([])
    expect(output).toMatchObject({
      state: { phase: '5', about: 'architecture gate' },
      steps: [{ pointer: 'Phase5.3-TestQualityGate', open: false }],
      inTheWay: [
        { code: 'session-state/move-skips-no-gate' },
        { code: 'session-state/gate-has-artifacts' },
      ],
    })
    expect(output.inTheWay[0]?.hint).toContain(
      'waybill state gate 5 <verdict>: approved or rejected',
    )
  })

  test('is unknown for a state whose structure is at fault, and code is not allowed', async () => {
    state.begin(['NORMAL', 'FINE'])
    const output = await ask()
    expect(faultsOf('state next', output)).toEqual([])
    expect(output).toMatchObject({
      accepted: false,
      steps: [],
      mayWriteCode: { answer: false, rule: 'schema/enum' },
    })
  })

  test.each([
    ['an error anywhere', 'ComponentScopePaths: [/etc]\n', 'session-state/relative-paths'],
    ['nothing', '', 'session-state/code-needs-gates'],
  ])('with %s the answer about code names its rule', async (_, lines, rule) => {
    state.write(FILE, `${stateFixture('code-needs-gates')}${lines}`)
    const { answer, rule: decided } = await state.mayWriteCode()
    expect({ answer, decided }).toEqual({ answer: lines === '', decided: rule })
    const output = await next.run({ mayWriteCode: true }, state.app())
    expect(next.failed?.(output)).toBe(lines !== '')
  })
})
