import { check } from '../../src/index.ts'
import type { Figure } from '../figure.ts'
import { type Contender, race } from '../measure.ts'
import type { Stage } from '../stage.ts'
import { missionEnvelope } from '../workloads/mission.ts'

const ENVELOPES = Array.from({ length: 64 }, (_, number) => missionEnvelope(number))
const REPEATS = 60
const NOW = Date.UTC(2026, 5, 1)

/** One mission envelope in a process that is warm: reading, structure and rules, against `JSON.parse` alone. */
export async function oneEnvelope({ quick }: Stage): Promise<Figure[]> {
  const [ours, theirs] = await race(quick ? 9 : 41, [
    perEnvelope('waybill', async text => {
      const { accepted } = await check(text, { path: 'mission.json', now: NOW })
      if (!accepted) throw new Error('the envelope is not accepted')
    }),
    perEnvelope('JSON.parse', JSON.parse),
  ])
  if (!ours || !theirs) return []
  const target = { kind: 'times-at-most', limit: 3 } as const
  return [{ what: 'one 2 KB mission envelope, in process', unit: 'µs', ours, theirs, target }]
}

/** Microseconds for one envelope, from going through all of them often enough for the clock. */
function perEnvelope(name: string, work: (text: string) => unknown): Contender {
  const run = async () => {
    const start = performance.now()
    for (let i = 0; i < REPEATS; i++) {
      for (const text of ENVELOPES) {
        const done = work(text)
        // What is at hand at once is not waited for.
        if (done instanceof Promise) await done
      }
    }
    return ((performance.now() - start) * 1000) / (REPEATS * ENVELOPES.length)
  }
  return { name, run }
}
