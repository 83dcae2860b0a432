import { demandedForm, formOf } from '../contracts/index.ts'
import { openStateFile, writerOf } from '../session/index.ts'
import type { CheckForPeople, ReportForPeople } from './check/report.ts'
import check, { checkForPeople } from './check.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'
import { FILE } from './state/report.ts'
import type { StateCheckOutput } from './state-check/output.ts'

const input = {
  type: 'object',
  properties: {
    previous: {
      type: 'string',
      path: true,
      placeholder: 'file',
      description: 'The previous state, for rules that compare the two.',
    },
    file: FILE,
  },
} as const

/** Checks the state file of a session. */
export default defineOperation({
  name: 'state check',
  summary: 'Check the state file',
  description:
    'Runs waybill check on the state file. Also shows the form that its phase requires, and whether waybill wrote the ' +
    'current bytes. Exits with 1 when there are errors.',
  examples: [
    { command: 'waybill state check', does: 'check SESSION_STATE.yaml' },
    {
      command: 'waybill state check --previous old.yaml',
      does: 'also check that it follows from an older one',
    },
  ],
  actor: 'any',
  effect: 'read',
  input,
  run: (given, app): Promise<StateCheckOutput> => checkState(given, app, check.run),
  failed: ({ report }) => !report.accepted,
})

/** The output of `state check` for people. */
export interface StateCheckForPeople extends StateCheckOutput {
  readonly report: ReportForPeople
}

/** Like `state check`, with the source line and reason of each diagnostic. */
export function stateCheckForPeople(given: TypeOf<typeof input>, app: App) {
  return checkState(given, app, checkForPeople)
}

async function checkState(
  { file, previous }: TypeOf<typeof input>,
  app: App,
  run: (input: Parameters<typeof check.run>[0], app: App) => Promise<CheckForPeople>,
): Promise<StateCheckForPeople> {
  const state = await openStateFile(app, file)
  const { documents } = await run(
    {
      paths: [state.file],
      contract: 'session-state',
      ...(previous !== undefined && { previous }),
    },
    app,
  )
  const [report] = documents
  if (!report) throw new Error(`${state.path} was not checked`)
  const demand = state.sound ? demandedForm(state.value) : undefined
  return {
    report,
    form: state.sound ? formOf(state.value) : null,
    demanded: demand?.form ?? null,
    why: demand?.why ?? null,
    compared: previous !== undefined,
    written: writerOf(app.root, state.path, state.digest()),
  }
}
