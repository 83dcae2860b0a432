import { symlinkSync, writeFileSync } from 'node:fs'
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
} from '../../test/state-folder.ts'
import { readRecords, sha256 } from '../workspace/index.ts'
import init from './state-init.ts'

let state: ReturnType<typeof openStateFolder>
beforeEach(() => {
  state = openStateFolder()
})
afterEach(() => state.remove())

describe('a move', () => {
  test('goes where Next points, and keeps comments, order, quotes and everything else', async () => {
    const text = state.begin([/$/, `# the end\n${AT_GATE}`], ['Gates:', 'Gates: # six of them'])
    const output = await state.move()
    expect(faultsOf('state advance', output)).toEqual([])
    expect(output).toMatchObject({
      accepted: true,
      from: { phase: '4' },
      to: { phase: '5', next: 'Phase5.3-TestQualityGate' },
    })
    const expected = text
      .replace("Phase: '4'", "Phase: '5'")
      .replace('Next: Phase5-ArchitectureGate', 'Next: Phase5.3-TestQualityGate')
    expect(state.read()).toBe(expected)
    expect(output.after).toBe(sha256(expected))
  })

  test('is recorded with the digests before and after', async () => {
    const text = state.begin([/$/, AT_GATE])
    const output = await state.move()
    const { records } = readRecords(state.root, 'urn:waybill:record:state-advance')
    expect(records).toMatchObject([
      {
        subject: { path: FILE, sha256: output.after },
        before: sha256(text),
        after: output.after,
        from: { phase: '4' },
        to: { phase: '5' },
      },
    ])
  })

  test.each([
    ['CRLF line ends', (text: string) => text.replaceAll('\n', '\r\n')],
    ['a byte order mark', (text: string) => `\ufeff${text}`],
    ['both', (text: string) => `\ufeff${text.replaceAll('\n', '\r\n')}`],
  ])('keeps %s', async (_, change) => {
    const text = state.begin([/$/, AT_GATE])
    state.write(FILE, change(text))
    expect(await state.move()).toMatchObject({ accepted: true })
    const expected = text.replace("'4'", "'5'").replace('5-ArchitectureGate', '5.3-TestQualityGate')
    expect(state.read()).toBe(change(expected))
  })

  test('works on JSON, wrapped as it is', async () => {
    await init.run({ file: 'state.json' }, state.app())
    expect(await state.move({ file: 'state.json' })).toMatchObject({ accepted: true })
    const { SESSION_STATE } = JSON.parse(state.read('state.json'))
    expect(SESSION_STATE).toMatchObject({ Phase: '2', Next: 'Phase2.1-DecisionPack' })
  })

  test('opens the gate of business rules where they are discovered, and it stays open', async () => {
    state.begin(["Phase: '4'", 'Phase: 1.2-ProfileDetection'], ['5-Arch', '1.5-Arch'])
    expect(state.read()).toContain('P5.4-BusinessRules: not-applicable')
    expect(await state.move()).toMatchObject({ accepted: true, to: { phase: '1.5' } })
    expect(state.read()).toContain('P5.4-BusinessRules: pending')
    const text = state.read()
    const left = await state.decide('5.4', 'not-applicable')
    expect(rulesIn(left)).toContain('business-rules-gate-open')
    // Marked by hand, it is opened again when the session goes on.
    state.write(FILE, text.replace('BusinessRules: pending', 'BusinessRules: not-applicable'))
    expect(await state.move({ to: '1.3' })).toMatchObject({ accepted: true })
    expect(state.read()).toContain('P5.4-BusinessRules: pending')
  })

  test('goes back where it was sent, defers the profile before discovery, and opens what was refused', async () => {
    state.begin(
      ...IN_PHASE_5,
      ['P5-Architecture: pending', 'P5-Architecture: rejected'],
      ['Next: Phase5.3-TestQualityGate', 'Next: Phase4-TicketPlanning'],
    )
    expect(await state.move({ to: '2' })).toMatchObject({ accepted: true, to: { phase: '2' } })
    expect(state.read()).toContain('ProfileSource: deferred')
    expect(state.read()).toContain('P5-Architecture: pending')
  })

  test.each([
    ['5', '5'],
    ['P5', '5'],
    ['phase 5', '5'],
    ['Phase5-ArchitectureGate', '5'],
  ])('to %s is understood', async (to, phase) => {
    state.begin([/$/, AT_GATE])
    expect(await state.move({ to })).toMatchObject({ to: { phase } })
  })
})

describe('a move is refused, and nothing is written,', () => {
  test.each<
    readonly [why: string, given: { to?: string }, rule: string, changes: readonly Change[]]
  >([
    [
      'below a confidence of 70',
      {},
      'no-advance-below-70',
      [
        ['85', '69'],
        ['NORMAL', 'DRAFT'],
        [/$/, AT_GATE],
      ],
    ],
    ['past a gate that is open', {}, 'move-skips-no-gate', IN_PHASE_5],
    ['past gates that were never asked', { to: '5.6' }, 'next-skips-no-gate', []],
    ['into a gate that says nothing of its artifacts', {}, 'gate-has-artifacts', []],
    ['to code without its gates', { to: '6' }, 'code-needs-gates', []],
    ['where Next names no step', {}, 'next-names-step', [['Phase5-ArchitectureGate', 'onward']]],
    [
      'where Next waits for something, and the mode does not',
      {},
      'blocked-next-has-mode',
      [['Phase5-ArchitectureGate', 'BLOCKED-x']],
    ],
    ['to where the session is', { to: '4' }, 'next-names-step', []],
    [
      'from a state with an error',
      { to: '5' },
      'relative-paths',
      [[/$/, `${AT_GATE}ComponentScopePaths: [/etc]\n`]],
    ],
  ])('%s', async (_, given, rule, changes) => {
    const text = state.begin(...changes)
    const output = await state.move(given)
    expect(faultsOf('state advance', output)).toEqual([])
    expect(output).toMatchObject({ accepted: false, changes: [], record: null })
    expect(rulesIn(output)).toContain(rule)
    expect(output.diagnostics.every(({ severity, hint }) => severity !== 'error' || hint)).toBe(
      true,
    )
    expect(state.read()).toBe(text)
    expect(readRecords(state.root).records).toEqual([])
  })

  test('from a text that cannot be read or has no sound structure, with what check says', async () => {
    state.begin(['Mode: NORMAL', 'Mode: FINE'])
    expect(rulesIn(await state.move())).toEqual(['schema/enum'])
    state.write(FILE, 'Phase: [')
    expect(rulesIn(await state.move())).toContain('syntax/yaml')
  })

  test('past an open gate also when waybill.yaml excuses the rule, which holds for check alone', async () => {
    const rules = ['move-skips-no-gate', 'next-skips-no-gate', 'code-needs-gates']
    const off = rules.map(
      r => `  session-state/${r}: { severity: off, reason: we are in a hurry }\n`,
    )
    state.write('waybill.yaml', `rules:\n${off.join('')}`)
    state.begin(...IN_PHASE_5)
    expect(rulesIn(await state.move())).toContain('move-skips-no-gate')
    expect(await state.mayWriteCode()).toMatchObject({ answer: false })
  })

  test('but an error that waybill.yaml excuses elsewhere blocks no move', async () => {
    state.write(
      'waybill.yaml',
      'rules:\n  session-state/relative-paths: { severity: warning, reason: one machine }\n',
    )
    state.begin([/$/, `${AT_GATE}ComponentScopePaths: [/etc]\n`])
    expect(await state.move()).toMatchObject({ accepted: true })
  })

  test('by an old error only where it leads on: going back and blocking stay possible', async () => {
    state.begin(...IN_PHASE_5, [/$/, 'ComponentScopePaths: [/etc]\n'])
    expect(await state.move({ blocked: 'the owner of /etc' })).toMatchObject({ accepted: true })
    expect(await state.move({ to: '4' })).toMatchObject({ accepted: true, to: { mode: 'BLOCKED' } })
  })

  test('by its short form never: a block says in full what there is to decide', async () => {
    state.begin()
    expect(await state.move({ blocked: 'the owner' })).toMatchObject({ accepted: true })
    expect(state.read()).toContain('DecisionSurface:\n  MustDecideNow:\n    - the owner\n')
    expect(rulesIn(await state.move())).toEqual(['blocked-left-with-input'])
  })
})

describe('a call that makes no sense is an error', () => {
  test.each([
    [{ to: '7' }, 'usage'],
    [{ next: 'onward' }, 'usage'],
    [{ next: 'BLOCKED-x' }, 'usage'],
    [{ blocked: 'x', mode: 'DRAFT' }, 'usage'],
    [{ blocked: ' -- ' }, 'usage'],
    [{ expect: '0'.repeat(64) }, 'conflict'],
    [{ file: 'other.yaml' }, 'not-found'],
    [{ file: 'notes.md' }, 'usage'],
    [{ file: '../outside.yaml' }, 'input-output'],
    [{ file: 'link.yaml' }, 'input-output'],
    [{ file: 'folder' }, 'input-output'],
  ] as const)('%j: %s', async (given, code) => {
    const text = state.begin()
    state.write('notes.md', '# Notes\n')
    state.write('folder/x', '')
    symlinkSync('/etc/hostname', join(state.root, 'link.yaml'))
    await expect(state.move(given)).rejects.toMatchObject({ code })
    expect(state.read()).toBe(text)
  })

  test('a file that was edited by hand since it was read is left alone', async () => {
    const text = state.begin([/$/, AT_GATE])
    const expected = sha256(text)
    writeFileSync(join(state.root, FILE), `${text}# a thought\n`)
    await expect(state.move({ expect: expected })).rejects.toMatchObject({ code: 'conflict' })
    expect(state.read()).toBe(`${text}# a thought\n`)
    expect(await state.move({ expect: sha256(state.read()) })).toMatchObject({ accepted: true })
  })
})
