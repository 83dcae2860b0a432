import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { faultsOf } from '../../test/output.ts'
import {
  AT_GATE,
  FILE,
  IN_PHASE_5,
  openStateFolder,
  rulesIn,
  stateFixture,
} from '../../test/state-folder.ts'
import { readRecords } from '../workspace/index.ts'
import gate from './state-gate.ts'
import init from './state-init.ts'
import next from './state-next.ts'

let state: ReturnType<typeof openStateFolder>
beforeEach(() => {
  state = openStateFolder()
})
afterEach(() => state.remove())

describe('a blocked session', () => {
  test('goes on when the input that it named is there, and not before', async () => {
    state.begin([/$/, AT_GATE])
    const blocked = await state.move({ blocked: 'which orders are meant' })
    expect(blocked.to).toMatchObject({ mode: 'BLOCKED', next: 'BLOCKED-which orders are meant' })
    expect(rulesIn(await state.move())).toEqual(['blocked-left-with-input'])
    expect(rulesIn(await state.move({ blocked: 'nothing much' }))).toEqual([
      'blocked-left-with-input',
    ])
    expect(await state.mayWriteCode()).toMatchObject({
      answer: false,
      rule: 'session-state/blocked-left-with-input',
    })
    state.add(`TicketRecordDigest: orders of this year\n`)
    expect(await state.move()).toMatchObject({
      accepted: true,
      to: { phase: '4', mode: 'NORMAL', next: 'Phase5-ArchitectureGate' },
    })
  })

  test('that names a part of the state waits for that part', async () => {
    state.begin([/$/, AT_GATE])
    await state.move({ blocked: 'CrossRepoImpact' })
    state.add(`TicketRecordDigest: something else\n`)
    expect(rulesIn(await state.move())).toEqual(['blocked-left-with-input'])
    state.add(`CrossRepoImpact: { AffectedServices: [] }\n`)
    expect(await state.move()).toMatchObject({ accepted: true })
  })

  test('that was blocked by hand needs the state from before, where nothing else tells', async () => {
    const before = state.begin(
      ['Mode: NORMAL', 'Mode: BLOCKED'],
      ['Next: Phase5-ArchitectureGate', 'Next: BLOCKED-which orders'],
      [/$/, AT_GATE],
    )
    state.write('before.yaml', before)
    writeFileSync(join(state.root, FILE), `${before}TicketRecordDigest: orders of this year\n`)
    const untold = await state.move()
    expect(rulesIn(untold)).toEqual(['blocked-left-with-input'])
    expect(untold.diagnostics[0]?.hint).toContain('--previous')
    expect(await state.move({ previous: 'before.yaml' })).toMatchObject({ accepted: true })
  })

  test('below 70 goes on as a draft, in its phase', async () => {
    state.begin(['85', '60'], ['NORMAL', 'DRAFT'], [/$/, AT_GATE])
    await state.move({ blocked: 'the owner' })
    state.add(`TicketRecordDigest: Ann\n`)
    expect(await state.move()).toMatchObject({ accepted: true, to: { phase: '4', mode: 'DRAFT' } })
    expect(rulesIn(await state.move())).toEqual(['no-advance-below-70'])
  })

  test('keeps secrets of its state out of the records', async () => {
    state.begin([/$/, AT_GATE])
    await state.move({ blocked: `token = ${'hunter2'.repeat(3)}` })
    expect(JSON.stringify(readRecords(state.root).records)).not.toContain('hunter2hunter2')
  })
})

describe('a gate', () => {
  test('lets the work pass with what it requires, and Next goes on', async () => {
    state.begin(...IN_PHASE_5)
    const output = await state.decide('architecture', 'approved')
    expect(faultsOf('state gate', output)).toEqual([])
    expect(output).toMatchObject({ accepted: true, to: { next: 'Phase5.3-TestQualityGate' } })
    expect(state.read()).toContain('P5-Architecture: approved')
    expect(state.read()).toContain('# what the gate asks for')
    const { records } = readRecords(state.root, 'urn:waybill:record:state-gate')
    expect(records).toMatchObject([{ to: { gates: { 'P5-Architecture': 'approved' } } }])
  })

  test('that lacks an artifact blocks the session by its name, and frees it when it is there', async () => {
    state.begin(...IN_PHASE_5)
    const lacking = await state.decide('5', 'pending', 'ApiDiff=missing')
    expect(lacking.to).toMatchObject({ mode: 'BLOCKED', next: 'BLOCKED-ApiDiff' })
    const refused = await state.decide('5', 'approved')
    expect(rulesIn(refused)).toContain('no-pass-with-missing-artifacts')
    expect(refused.diagnostics[0]?.message).toContain('ApiDiff')
    expect(rulesIn(await state.move())).toEqual(['blocked-left-with-input'])
    const passed = await state.decide('5', 'approved', 'ApiDiff=present')
    expect(passed).toMatchObject({ accepted: true, to: { mode: 'NORMAL' } })
    expect(state.read()).toContain('Required: [TouchedSurface, ApiDiff] # what the gate asks for')
  })

  test('that refuses sends the work back to phase 4, and decides again only after that', async () => {
    state.begin(...IN_PHASE_5)
    const refusal = await state.decide('P5', 'rejected')
    expect(refusal.to).toMatchObject({ phase: '5', next: 'Phase4-TicketPlanning' })
    expect(rulesIn(await state.decide('5', 'approved'))).toEqual(['refused-goes-back'])
    expect(rulesIn(await state.move({ to: '5.3' }))).toContain('refused-goes-back')
    expect(await state.move()).toMatchObject({ accepted: true, to: { phase: '4' } })
    expect(await state.move()).toMatchObject({ accepted: true, to: { phase: '5' } })
    expect(await state.decide('5', 'approved')).toMatchObject({ accepted: true })
  })

  test.each<readonly [why: string, given: readonly [string, string, ...string[]], code: string]>([
    ['decides before its phase', ['5.3', 'pass', 'Plan=present'], 'move-skips-no-gate'],
    ['is what it was', ['5', 'pending'], 'next-names-step'],
    [
      'passes while something is missing',
      ['5', 'approved', 'Plan=missing'],
      'no-pass-with-missing-artifacts',
    ],
  ])('is not set where it %s', async (_, [name, says, ...artifacts], code) => {
    const text = state.begin(...IN_PHASE_5)
    const output = await state.decide(name, says, ...artifacts)
    expect(output.accepted).toBe(false)
    expect(rulesIn(output)).toContain(code)
    expect(state.read()).toBe(text)
  })

  test('that passed is not opened again without going back to phase 4', async () => {
    state.begin(...IN_PHASE_5)
    await state.decide('5', 'approved')
    expect(rulesIn(await state.decide('5', 'pending'))).toEqual(['gates-not-reopened'])
    await state.move({ to: '4' })
    expect(await state.decide('5', 'pending')).toMatchObject({ accepted: true })
  })

  test('takes the words of its messages and of the other gates, and what it was shown with the verdict', async () => {
    state.begin(...IN_PHASE_5, [/ArchitectureDecisions:\n.*\n.*\n/, ''])
    const [refused] = (await state.decide('5', 'pass')).diagnostics
    expect(refused?.hint).toContain('--from')
    const decision = { ArchitectureDecisions: [{ ID: 'AD-1', Status: 'approved' }] }
    const stdin = async () => new TextEncoder().encode(JSON.stringify(decision))
    const given = { gate: '5', state: 'Passed', artifact: ['ADR'], from: '-' }
    expect(await gate.run(given, state.app({ stdin }))).toMatchObject({ accepted: true })
    expect(state.read()).toContain('P5-Architecture: approved')
    expect(state.read()).toContain('ADR: present')
  })

  test('takes back what was given by mistake while the session stands at it, and the record says why', async () => {
    state.begin(...IN_PHASE_5)
    await state.decide('5', 'rejected', 'Wrong')
    const back = (more: { artifact?: string[] }) =>
      gate.run({ gate: '5', retract: 'another ticket', ...more }, state.app())
    expect(await back({ artifact: ['Wrong'] })).toMatchObject({ accepted: true })
    expect(state.read()).toContain('P5-Architecture: rejected')
    expect(state.read()).not.toContain('Wrong')
    expect(await back({})).toMatchObject({
      accepted: true,
      to: { phase: '5', next: 'Phase5.3-TestQualityGate' },
    })
    const { records } = readRecords(state.root, 'urn:waybill:record:state-gate')
    // All have the same time, so their order is not known.
    expect(records.filter(({ retracts }) => retracts === 'another ticket')).toHaveLength(2)
    await state.decide('5', 'approved')
    await state.move({ artifact: ['TestPlan'] })
    expect(rulesIn(await back({}))).toContain('gates-not-reopened')
  })

  test.each([
    ['7', 'pending'],
    ['5', 'fine'],
    ['5', 'pending', 'Plan=maybe'],
    ['5', 'pending', '=present'],
    ['5', 'pending', 'MissionReview 3f1c=missing'],
    ['5', 'approved', ' mission\u00a0REVIEW 3f1c=present'],
    ['5', 'approved', '\uff2dissionReview=not-applicable'],
  ])('%s %s %s is an error of the call', async (name, says, ...artifacts) => {
    state.begin(...IN_PHASE_5)
    await expect(state.decide(name, says, ...artifacts)).rejects.toMatchObject({ code: 'usage' })
  })
})

test('a session goes from its beginning to a pull request, and code may be written from where it should be', async () => {
  await init.run({ ticket: 'ORD-118' }, state.app())
  const answers: string[] = []
  const step = async (
    done: Promise<{
      accepted: boolean
      diagnostics: readonly object[]
      to: { phase: string | null }
    }>,
  ) => {
    const { accepted, diagnostics, to } = await done
    expect(diagnostics).toEqual([])
    expect(accepted).toBe(true)
    answers.push(`${to.phase}:${(await state.mayWriteCode()).answer ? 'code' : '-'}`)
  }
  for (const _ of ['2', '2.1', '1.2']) await step(state.move())
  writeFileSync(
    join(state.root, FILE),
    state
      .read()
      .replace('ActiveProfile: ""', 'ActiveProfile: backend')
      .replace('ProfileSource: deferred', 'ProfileSource: user-explicit')
      .replace('core: ""', 'core: rules.md')
      .replace('profile: ""', 'profile: backend.md')
      .concat('  ArchitectureDecisions:\n    - ID: AD-1\n      Status: approved\n'),
  )
  await step(state.move({ to: '1.3' }))
  await step(state.move())
  for (const [phase, says] of [
    ['5', 'approved'],
    ['5.3', 'pass'],
  ] as const) {
    await step(state.decide(phase, 'pending', 'Plan=present'))
    await step(state.move({ to: phase }))
    await step(state.decide(phase, says))
  }
  for (const phase of ['5.4', '5.5', '5.6']) await step(state.decide(phase, 'not-applicable'))
  await step(state.decide('6', 'pending', 'Tests=present'))
  await step(state.move({ to: '6' }))
  state.add('  BuildEvidence: { status: provided-by-user }\n')
  await step(state.decide('6', 'ready-for-pr'))
  expect((await next.run({}, state.app())).state.next).toBe('PR-Ready')
  expect(rulesIn(await state.move())).toEqual(['next-names-step'])
  const code = answers.findIndex(answer => answer.endsWith('code'))
  expect(answers.slice(code).every(answer => answer.endsWith('code'))).toBe(true)
  expect(answers[code]).toBe('5.3:code')
})

test('nothing is ready for a pull request without build evidence, or against it', async () => {
  const open = stateFixture('ready')
    .replace('ready-for-pr', 'pending')
    .replace('Next: PR-Ready', 'Next: Phase6-ImplementationQaGate')
  const [without = '', evidence = ''] = open.split(/^(?=BuildEvidence:)/m)
  state.write(FILE, without)
  const silent = await state.decide('6', 'ready-for-pr')
  expect(silent).toMatchObject({ accepted: false })
  expect(rulesIn(silent)).toEqual(['ready-has-build-evidence'])
  expect(state.read()).toBe(without)
  state.write(FILE, open.replace('result: pass', 'result: fail'))
  expect(rulesIn(await state.decide('6', 'ready-for-pr'))).toEqual(['ready-has-no-failed-run'])
  state.write(FILE, without + evidence)
  expect(await state.decide('6', 'ready-for-pr')).toMatchObject({
    accepted: true,
    to: { next: 'PR-Ready' },
  })
})
