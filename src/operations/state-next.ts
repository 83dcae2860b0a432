import { type MayWriteCode, mayWriteCode, whatFollows } from '../contracts/index.ts'
import { maskSecrets } from '../document/index.ts'
import { diagnosticOf, findWaiting, openStateFile, type StateFile } from '../session/index.ts'
import { sha256 } from '../workspace/index.ts'
import { type App, defineOperation } from './operation.ts'
import { FILE, reported, standingIn } from './state/report.ts'
import type { StateNextOutput } from './state-next/output.ts'

const input = {
  type: 'object',
  properties: {
    mayWriteCode: {
      type: 'boolean',
      description: 'Answer only whether code may be written now: exit code 0 for yes, 1 for no.',
    },
    file: FILE,
  },
} as const

/** Says what may come next in a session. */
export default defineOperation({
  name: 'state next',
  summary: 'Say what may come next and why, and what stands in the way',
  description:
    'Reads the state file, checks it in full and answers from the order of phases: which step may follow, which gate, ' +
    'artifact or input is missing, and whether code may be written now. A state with an error answers no.',
  examples: [
    { command: 'waybill state next', does: 'see where the session stands and what may follow' },
    { command: 'waybill state next --may-write-code', does: 'ask before an edit, in a hook' },
    { command: 'waybill state next --format json', does: 'the same for a program' },
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

/** What the check of the whole file found decides; of a faulty text the value says nothing. */
function codeIn({ sound, result, value, judge }: StateFile): MayWriteCode {
  const errors = result.diagnostics.filter(({ severity }) => severity === 'error')
  if (sound) return mayWriteCode(judge.basis, value, errors)
  const { code = 'document/unreadable', message = 'it cannot be read', hint } = errors[0] ?? {}
  return { answer: false, rule: code, reason: message, ...(hint !== undefined && { hint }) }
}
