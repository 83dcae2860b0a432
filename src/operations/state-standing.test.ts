import { afterEach, beforeEach, expect, test } from 'vitest'
import { AT_GATE, IN_PHASE_5, openStateFolder } from '../../test/state-folder.ts'
import { text as advanceText } from '../cli/render/state-advance.ts'
import { text as gateText } from '../cli/render/state-gate.ts'
import { text as nextText } from '../cli/render/state-next.ts'
import { style } from '../cli/terminal.ts'
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
