import { describe, expect, test } from 'vitest'
import { mayWriteCode } from '../../src/contracts/session-state.v1/acts/next.ts'
import { basis, everyState, mayByThePage, TICKETS } from './ground.ts'

// Looks at every phase, mode, confidence band and combination of gates: not at examples.

describe.each(Object.entries(TICKETS))('a ticket %s', (_, ticket) => {
  const planned = ticket.TouchedSurface.SchemaPlanned.length > 0

  test('no state at all writes code that may not, and one that may writes it', () => {
    const counts = { asked: 0, allowed: 0 }
    const wrong: string[] = []
    for (const state of everyState(ticket)) {
      const { answer } = mayWriteCode(basis, state)
      counts.asked++
      if (answer) counts.allowed++
      if (answer !== mayByThePage(state, planned)) wrong.push(`${answer}: ${JSON.stringify(state)}`)
    }
    expect(wrong.slice(0, 3)).toEqual([])
    expect(counts.asked).toBeGreaterThan(400_000)
    expect(counts.allowed).toBeGreaterThan(500)
  })
})
