import { confidenceBand, confidenceRubric, ENOUGH } from '../contracts/index.ts'
import { maskSecrets } from '../document/index.ts'
import { openStateFile } from '../session/index.ts'
import { type App, defineOperation } from './operation.ts'
import { FILE, mustBeSound, standingIn } from './state/report.ts'
import type { StateConfidenceOutput } from './state-confidence/output.ts'

/** From this difference on, the stated value is a guess. */
const FAR_OFF = 20

const input = { type: 'object', properties: { file: FILE } } as const

/** Compares the stated confidence with the one computed from the state. */
export default defineOperation({
  name: 'state confidence',
  summary: 'Compare the stated confidence with the rubric, line by line',
  description:
    'Computes the recommended rubric from the state. Changes nothing: the session states its own confidence.',
  examples: [
    { command: 'waybill state confidence', does: 'show which criteria apply' },
    { command: 'waybill state confidence --format json', does: 'print it as data' },
  ],
  actor: 'any',
  effect: 'read',
  input,
  run: ({ file }, app) => confidence(file, app),
})

async function confidence(file: string | undefined, app: App): Promise<StateConfidenceOutput> {
  const state = await openStateFile(app, file)
  mustBeSound(state)
  const { score, items } = confidenceRubric(state.value)
  const { confidence: stated, band } = standingIn(state.value)
  return {
    path: maskSecrets(state.path),
    stated,
    statedBand: band,
    computed: score,
    computedBand: confidenceBand(score / 100),
    differ: stated !== null && Math.abs(stated - score) >= FAR_OFF,
    enough: stated !== null && stated >= ENOUGH,
    lines: items.map(({ about, points, counts = null }) => ({ about, points, counts })),
  }
}
