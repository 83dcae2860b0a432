import type { Fields } from '../contract/index.ts'
import { demandedForm, missingParts, partsFor } from '../contracts/index.ts'
import { formatYaml, type Json, maskSecrets } from '../document/index.ts'
import { WaybillError } from '../error.ts'
import { openStateFile } from '../session/index.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'
import { maskFor } from './show/cleanse.ts'
import { FILE, reported } from './state/report.ts'
import type { StateShowOutput } from './state-show/output.ts'

const input = {
  type: 'object',
  properties: {
    min: { type: 'boolean', description: 'The short form: what a continuing session needs.' },
    full: { type: 'boolean', description: 'The full form: everything, and what is missing of it.' },
    file: FILE,
  },
} as const

/** Shows the state of a session as a response has to carry it. */
export default defineOperation({
  name: 'state show',
  summary: 'Print the state in its short or full form, whichever it calls for',
  description:
    'Prints YAML that passes waybill check itself: the short form, or in full at a gate, while blocked, below a ' +
    'confidence of 70, when discovery has just ended, and in architect-only mode, there with the decisions first. Parts that the form needs in this phase and that are missing ' +
    'are listed by name. The short form is refused where the full one is required.',
  examples: [
    { command: 'waybill state show', does: 'print the form that the state calls for' },
    { command: 'waybill state show --full', does: 'print everything, for a review' },
  ],
  actor: 'any',
  effect: 'read',
  input,
  run: (given, app) => show(given, app),
  failed: ({ shown, diagnostics, missing }) =>
    !shown || diagnostics.length > 0 || missing.some(({ level }) => level === 'required'),
})

async function show(
  { min = false, full = false, file }: TypeOf<typeof input>,
  app: App,
): Promise<StateShowOutput> {
  if (min && full) throw new WaybillError('usage', '--min and --full exclude each other')
  const { path, text, value, result, sound } = await openStateFile(app, file)
  const errors = result.diagnostics.filter(({ severity }) => severity === 'error')
  const diagnostics = reported(errors)
  if (!sound) {
    const why = 'its structure is at fault, so that nothing can be said'
    const form = min ? 'MIN' : 'FULL'
    return {
      path: maskSecrets(path),
      shown: false,
      form,
      demanded: 'FULL',
      why,
      state: null,
      yaml: null,
      missing: [],
      diagnostics,
    }
  }
  const { form: demanded, why } = demandedForm(value)
  const form = min ? 'MIN' : full ? 'FULL' : demanded
  const about = { path: maskSecrets(path), form, demanded, why, diagnostics }
  const missing = missingParts(value, form)
  if (form === 'MIN' && demanded === 'FULL') {
    return { ...about, shown: false, state: null, yaml: null, missing }
  }
  const parts = partsFor(value, form)
  const state = masked(parts, maskFor(parts, text)) as Fields
  const yaml = formatYaml({ SESSION_STATE: state as Json })
  return { ...about, shown: true, state, yaml, missing }
}

/** The value with every secret in its texts masked. */
function masked(value: unknown, mask: (said: string) => string): unknown {
  if (typeof value === 'string') return mask(value)
  if (Array.isArray(value)) return value.map(inner => masked(inner, mask))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([k, v]) => [mask(k), masked(v, mask)]))
}
