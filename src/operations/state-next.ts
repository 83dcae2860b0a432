import { whatFollows } from '../contracts/index.ts'
import { maskSecrets } from '../document/index.ts'
import { diagnosticOf, findWaiting, openStateFile } from '../session/index.ts'
import { sha256 } from '../workspace/index.ts'
import { type App, defineOperation } from './operation.ts'
import { codeIn } from './state/may-write-code.ts'
import { FILE, reported, standingIn } from './state/report.ts'
import type { StateNextOutput } from './state-next/output.ts'

const input = {
  type: 'object',
  properties: {
    mayWriteCode: {
      type: 'boolean',
      description: 'Only answer whether code may be written now: exit code 0 for yes, 1 for no.',
    },
    file: FILE,
  },
} as const

/** Shows the possible next steps of a session. */
export default defineOperation({
  name: 'state next',
  summary: 'Show the possible next steps and what prevents them',
  description:
    'Checks the state file and derives from the order of phases which steps may follow, which gate, artifact or input is ' +
    'missing, and whether code may be written now. With errors in the state the answer is no. Exits with 1 when the state ' +
    'has errors.',
  examples: [
    { command: 'waybill state next', does: 'show the state of the session and the next steps' },
    { command: 'waybill state next --may-write-code', does: 'ask before an edit, in a hook' },
    { command: 'waybill state next --format json', does: 'print it as data' },
  ],
  actor: 'any',
  effect: 'read',
  input,
  run: ({ mayWriteCode = false, file }, app) => next(mayWriteCode, file, app),
  failed: ({ asked, mayWriteCode, accepted }) =>
    asked === 'next' ? !accepted : !mayWriteCode.answer,
})

async function next(code: boolean, file: string | undefined, app: App): Promise<StateNextOutput> {
  const state = await openStateFile(app, file)
  const { answer, rule, reason, hint = null } = codeIn(state)
  const about = {
    path: maskSecrets(state.path),
    accepted: state.result.accepted,
    state: standingIn(state.value),
    mayWriteCode: { answer, rule, reason, hint },
  }
  if (code) return { ...about, asked: 'may-write-code', steps: [], inTheWay: [] }
  const asked = { ...about, asked: 'next', sha256: state.digest() } as const
  const errors = state.result.diagnostics.filter(({ severity }) => severity === 'error')
  if (!state.sound) return { ...asked, steps: [], inTheWay: reported(errors) }
  const awaited = findWaiting(app.root, state.path, state.value)
  const waiting = awaited && { awaited, digest: sha256 }
  const { steps, inTheWay } = whatFollows(state.judge.basis, state.value, waiting)
  return {
    ...asked,
    steps: steps.map(({ pointer, phase = null, open, objections }) => ({
      pointer,
      phase,
      open,
      diagnostics: reported(objections.map(objection => diagnosticOf(state, objection))),
    })),
    inTheWay: reported(inTheWay.map(objection => diagnosticOf(state, objection))),
  }
}
