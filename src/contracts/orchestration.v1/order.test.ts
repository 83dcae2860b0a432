import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cyclesIn, inOrder, notPreceded } from './order.ts'

const SIZE = 9

type Waits = { on: number }[][]

const anyGraph: fc.Arbitrary<Waits> = fc
  .array(fc.tuple(fc.nat(SIZE - 1), fc.nat(SIZE - 1)), { maxLength: 14 })
  .map(edges =>
    Array.from({ length: SIZE }, (_, s) =>
      edges.filter(([from]) => from === s).map(([, on]) => ({ on })),
    ),
  )

/** All that a step waits for, by the simplest means. */
function behind(waits: Waits, step: number): Set<number> {
  const seen = new Set<number>()
  const open = [step]
  for (const next of open) {
    for (const { on } of waits[next] ?? []) {
      if (!seen.has(on)) open.push(on)
      seen.add(on)
    }
  }
  return seen
}

const inCycle = (waits: Waits, step: number) => behind(waits, step).has(step)

test('every step comes after all that it waits for', () => {
  fc.assert(
    fc.property(anyGraph, waits => {
      const order = inOrder(waits)
      for (const [place, step] of order.entries()) {
        for (const { on } of waits[step] ?? []) expect(order.indexOf(on)).toBeLessThan(place)
      }
      const stuck = waits.filter((_, s) => [s, ...behind(waits, s)].some(x => inCycle(waits, x)))
      expect(order).toHaveLength(waits.length - stuck.length)
      for (const place of order.keys()) expect(order.indexOf(order[place] ?? -1)).toBe(place)
    }),
  )
})

test('a cycle is reported if and only if there is one, and it closes', () => {
  fc.assert(
    fc.property(anyGraph, waits => {
      const cycles = cyclesIn(waits)
      expect(cycles.length > 0).toBe(waits.some((_, s) => inCycle(waits, s)))
      const steps = cycles.flat().map(({ step }) => step)
      expect(new Set(steps).size).toBe(steps.length)
      for (const cycle of cycles) {
        for (const [i, { step, wait }] of cycle.entries()) {
          expect(waits[step]).toContainEqual(wait)
          expect(wait.on).toBe(cycle[(i + 1) % cycle.length]?.step)
        }
      }
    }),
  )
})

test('more questions than one pass can hold are answered as a plain search answers them', () => {
  fc.assert(
    fc.property(
      anyGraph,
      fc.array(fc.nat(SIZE - 1), { minLength: 70, maxLength: 70 }),
      (waits, sources) => {
        const after = [...waits.keys()]
        const answers = notPreceded(
          waits,
          sources.map(source => ({ before: [source], after })),
        )
        const order = inOrder(waits)
        for (const [i, source] of sources.entries()) {
          const expected = after.filter(
            step => !(order.includes(step) && behind(waits, step).has(source)),
          )
          expect(answers[i]).toEqual(expected)
        }
      },
    ),
  )
})
