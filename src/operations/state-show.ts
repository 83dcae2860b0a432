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
    min: { type: 'boolean', description: 'Print the short form, for a session that continues.' },
    full: { type: 'boolean', description: 'Print the full form.' },
    file: FILE,
  },
} as const

/** Prints the state of a session for a response. */
export default defineOperation({
  name: 'state show',
  summary: 'Print the state in short or full form',
  description:
    'Prints YAML that passes waybill check. The default is the short form; at a gate, while blocked, below a confidence of ' +
    '70, right after discovery and in architect-only mode it is the full form, and --min is refused. In architect-only ' +
    'mode the decisions come first. Lists missing parts that the form requires in this phase. Exits with 1 when the state ' +
    'is not shown, has errors or lacks required parts.',
  examples: [
    { command: 'waybill state show', does: 'print the form that the state requires' },
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
  if (min && full) throw new WaybillError('usage', '--min and --full cannot be combined')
  const { path, text, value, result, sound } = await openStateFile(app, file)
  const errors = result.diagnostics.filter(({ severity }) => severity === 'error')
  const diagnostics = reported(errors)
  if (!sound) {
    const why = 'its structure is invalid'
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

/** Masks every secret in the strings of a value. */
function masked(value: unknown, mask: (said: string) => string): unknown {
  if (typeof value === 'string') return mask(value)
  if (Array.isArray(value)) return value.map(inner => masked(inner, mask))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([k, v]) => [mask(k), masked(v, mask)]))
}
