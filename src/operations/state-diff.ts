import { differences } from '../contracts/index.ts'
import { decode, maskSecrets } from '../document/index.ts'
import { WaybillError } from '../error.ts'
import { checkStateText, openStateFile, type StateFile, stateFormat } from '../session/index.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'
import { mustBeSound, reported, standingIn } from './state/report.ts'
import type { StateDiffOutput } from './state-diff/output.ts'

const input = {
  type: 'object',
  required: ['old'],
  properties: {
    old: {
      type: 'string',
      positional: true,
      path: true,
      description: 'The older state; - reads standard input.',
    },
    new: {
      type: 'string',
      positional: true,
      path: true,
      description: 'The newer state (default: SESSION_STATE.yaml at the root).',
    },
  },
} as const

/** Compares two states of a session. */
export default defineOperation({
  name: 'state diff',
  summary: 'Compare two states and check the transition between them',
  description:
    'Compares phase, mode, gates, artifacts, decisions and all other parts, and runs the rules that compare two states. ' +
    'Exits with 1 when the transition is not allowed.',
  examples: [
    { command: 'waybill state diff old.yaml', does: 'compare an older state with the current one' },
    {
      command: 'git show HEAD:SESSION_STATE.yaml | waybill state diff -',
      does: 'show what changed since the last commit',
    },
  ],
  actor: 'any',
  effect: 'read',
  input,
  run: (given, app) => diff(given, app),
  failed: output => !output.accepted,
})

async function diff(given: TypeOf<typeof input>, app: App): Promise<StateDiffOutput> {
  const newer = await openStateFile(app, given.new)
  mustBeSound(newer)
  const older =
    given.old === '-' ? await fromStdin(newer, app) : await openStateFile(app, given.old)
  mustBeSound(older)
  const { result } = await checkStateText(newer.text, newer, older.value)
  return {
    before: maskSecrets(older.path),
    after: maskSecrets(newer.path),
    from: standingIn(older.value),
    to: standingIn(newer.value),
    differences: differences(older.value, newer.value).map(
      ({ about, part, text, before = null, after = null }) => ({
        about,
        part: maskSecrets(part),
        text,
        before,
        after,
      }),
    ),
    accepted: result.accepted,
    diagnostics: reported(result.diagnostics.filter(({ severity }) => severity !== 'info')),
  }
}

async function fromStdin({ judge }: StateFile, app: App) {
  const { text, faults } = decode(await app.stdin())
  if (faults.length > 0) throw new WaybillError('usage', 'standard input is not text')
  const checked = await checkStateText(text, { format: stateFormat('', text), path: '-', judge })
  return { ...checked, path: '-' }
}
