import { check } from '../../src/index.ts'
import type { Figure } from '../figure.ts'
import { type Contender, race } from '../measure.ts'
import type { Stage } from '../stage.ts'
import { missionEnvelope } from '../workloads/mission.ts'

const ENVELOPES = Array.from({ length: 64 }, (_, number) => missionEnvelope(number))
/** Escapes as many programs write them for non-ASCII text. */
const ESCAPED = ENVELOPES.map(text =>
  text
    .replace('"user_goal": "', '"user_goal": "\\ud83d\\ude00 ')
    .replace('"page_id"', '"pag\\u0065_id"'),
)
const REPEATS = 60
const NOW = Date.UTC(2026, 5, 1)

/** One mission envelope in a process that is warm: reading, structure and rules, against `JSON.parse` alone. */
export async function oneEnvelope(stage: Stage): Promise<Figure[]> {
  const what = 'one 2 KB mission envelope, in process'
  const [plain, escaped] = [await against(ENVELOPES, stage), await against(ESCAPED, stage)]
  return [
    ...plain.map(f => ({ ...f, what, target: { kind: 'times-at-most', limit: 3 } as const })),
    ...escaped.map(f => ({ ...f, what: `${what}, with escapes in a text and in a key` })),
  ]
}

async function against(
  texts: readonly string[],
  { quick }: Stage,
): Promise<Omit<Figure, 'what'>[]> {
  const [ours, theirs] = await race(quick ? 9 : 41, [
    perEnvelope('waybill', texts, async text => {
      const { accepted } = await check(text, { path: 'mission.json', now: NOW })
      if (!accepted) throw new Error('the envelope is not accepted')
    }),
    perEnvelope('JSON.parse', texts, JSON.parse),
  ])
  return ours && theirs ? [{ unit: 'µs', ours, theirs }] : []
}

/** Microseconds per envelope, over enough repetitions for the clock. */
function perEnvelope(
  name: string,
  texts: readonly string[],
  work: (text: string) => unknown,
): Contender {
  const run = async () => {
    const start = performance.now()
    for (let i = 0; i < REPEATS; i++) {
      for (const text of texts) {
        const done = work(text)
        // Do not await synchronous results.
        if (done instanceof Promise) await done
      }
    }
    return ((performance.now() - start) * 1000) / (REPEATS * texts.length)
  }
  return { name, run }
}
