import { afterEach, beforeEach, expect, test } from 'vitest'
import { AT_GATE, IN_PHASE_5, openStateFolder } from '../../test/state-folder.ts'
import { text as advanceText } from '../cli/render/state-advance.ts'
import { text as diffText } from '../cli/render/state-diff.ts'
import { text as gateText } from '../cli/render/state-gate.ts'
import { text as nextText } from '../cli/render/state-next.ts'
import { style } from '../cli/terminal.ts'
import diff from './state-diff.ts'
import next from './state-next.ts'

let state: ReturnType<typeof openStateFolder>
beforeEach(() => {
  state = openStateFolder()
})
afterEach(() => state.remove())

const plain = style(false)
const IN_5 = {
  phase: '5',
  about: 'architecture gate',
  mode: 'NORMAL',
  next: 'Phase5.3-TestQualityGate',
  confidence: 85,
  band: 'High',
}

test('whatever advances or evaluates the workflow shows where the session stands', async () => {
  state.begin([/$/, AT_GATE])
  const moved = await state.move()
  expect(moved.to).toEqual(IN_5)
  expect(advanceText(moved, plain, state.app(), false)).toContain('→ phase 5, architecture gate')

  const asked = await next.run({}, state.app())
  expect(asked.state).toEqual(IN_5)
  expect(nextText(asked, plain, state.app(), false)).toContain(
    'phase 5, architecture gate · NORMAL · confidence 85 High',
  )

  const decided = await state.decide('5', 'approved')
  expect(decided.to).toEqual(IN_5)
  expect(gateText(decided, plain, state.app(), false)).toContain('phase 5, architecture gate')
})

test('so does what is refused', async () => {
  state.begin(...IN_PHASE_5)
  const stays = 'the session stays in phase 5, architecture gate'
  const moved = await state.move({ to: '6' })
  expect(moved).toMatchObject({ accepted: false, to: IN_5 })
  expect(advanceText(moved, plain, state.app(), false)).toContain(stays)
  const decided = await state.decide('6', 'ready-for-pr')
  expect(decided).toMatchObject({ accepted: false, to: IN_5 })
  expect(gateText(decided, plain, state.app(), false)).toContain(stays)
})

const ARCHITECT_ONLY = `OutputMode: architect-only
DecisionSurface:
  MustDecideNow: ["which \\e[31morders", "AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"]
  CanDefer: [the name of the table]
  AutoDecidedBySystem: []
`

test('in architect-only mode each answer begins with what has to be decided', async () => {
  state.begin([/$/, AT_GATE + ARCHITECT_ONLY])
  const begins = (text: string) => {
    const [title, first = '', , , later, deferred] = text.split('\n')
    expect([title, later, deferred]).toEqual([
      'To decide now',
      'Can wait',
      '  · the name of the table',
    ])
    expect(first).toContain('which \\u{1b}[31morders')
    expect(text).not.toContain('wJalrXUt')
  }
  const asked = await next.run({}, state.app())
  begins(nextText(asked, plain, state.app(), false))
  const refused = await state.move({ to: '6' })
  expect(refused.accepted).toBe(false)
  begins(advanceText(refused, plain, state.app(), false))
  const before = state.read()
  const moved = await state.move()
  expect(moved.accepted).toBe(true)
  begins(advanceText(moved, plain, state.app(), false))
  const decided = await state.decide('5', 'approved')
  expect(decided.accepted).toBe(true)
  begins(gateText(decided, plain, state.app(), false))
  state.write('before.yaml', before)
  const compared = await diff.run({ old: 'before.yaml' }, state.app())
  begins(diffText(compared, plain, state.app(), false))
  expect(JSON.stringify([asked, moved, decided, compared])).not.toContain('wJalrXUt')
})

test('where there is nothing to decide it says so', async () => {
  const empty = 'DecisionSurface: { MustDecideNow: [], CanDefer: [], AutoDecidedBySystem: [] }'
  state.begin([/$/, `OutputMode: architect-only\n${empty}\n`])
  const asked = await next.run({}, state.app())
  expect(nextText(asked, plain, state.app(), false)).toMatch(
    /^To decide now\n {2}nothing\n\nphase 4/,
  )
})
