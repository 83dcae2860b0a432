import { confidenceBand, confidenceRubric, ENOUGH } from '../contracts/index.ts'
import { maskSecrets } from '../document/index.ts'
import { openStateFile } from '../session/index.ts'
import { type App, defineOperation } from './operation.ts'
import { FILE, mustBeSound, standingIn } from './state/report.ts'
import type { StateConfidenceOutput } from './state-confidence/output.ts'

/** As far apart, a statement is a feeling. */
const FAR_OFF = 20

const input = { type: 'object', properties: { file: FILE } } as const

/** Sets the confidence that a state states beside the one that it bears out. */
export default defineOperation({
  name: 'state confidence',
  summary: 'Show line by line what the confidence rests on, beside the stated one',
  description:
    'Computes the recommended rubric from what the state holds. It changes nothing: what the session states is its own.',
  examples: [
    { command: 'waybill state confidence', does: 'see what counts and what is missing' },
    { command: 'waybill state confidence --format json', does: 'the same for a program' },
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
