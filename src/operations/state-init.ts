import { dirname, sep } from 'node:path'
import { initialState } from '../contracts/index.ts'
import { formatYaml } from '../document/index.ts'
import { WaybillError } from '../error.ts'
import { checkStateText, openJudge, placeOfState, stateFormat } from '../session/index.ts'
import { createAtomically, openFiles, sha256 } from '../workspace/index.ts'
import { makeFolders } from './new/place.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'
import { FILE, standingIn } from './state/report.ts'
import type { StateInitOutput } from './state-init/output.ts'

const input = {
  type: 'object',
  properties: {
    ticket: { type: 'string', placeholder: 'line', description: 'The ticket in one line.' },
    confidence: {
      type: 'integer',
      placeholder: '0-100',
      description: 'How sure the session is of what is asked for (default: 70, just enough).',
    },
    file: { ...FILE, makes: true },
  },
} as const

/** Writes the state of a session that begins. */
export default defineOperation({
  name: 'state init',
  summary: 'Begin a session: write a sound state file, with every gate pending',
  description:
    'Writes the state of phase 1.1: nothing decided, profile and rulebooks deferred. A file that is there is never ' +
    'overwritten.',
  examples: [
    { command: 'waybill state init', does: 'write SESSION_STATE.yaml at the root' },
    {
      command: 'waybill state init --ticket "ORD-118: put orders on hold"',
      does: 'the same, with what it is about',
    },
  ],
  actor: 'any',
  effect: 'write',
  input,
  run: (given, app) => init(given, app),
})

const NEXT = [
  { command: 'waybill state next', does: 'see what may come next' },
  { command: 'waybill state advance', does: 'go on to repository discovery' },
] as const

/** What a reader of the file should know; everything else is in the reference. */
const COMMENT =
  '# The state of this session. What may come next: waybill state next. What a key means: waybill schema session-state\n'

async function init(given: TypeOf<typeof input>, app: App): Promise<StateInitOutput> {
  const { file, path } = placeOfState(app, given.file)
  const state = initialState(beginningOf(given))
  const format = stateFormat(path, '')
  if (format === 'markdown') {
    throw new WaybillError('usage', `${path} is Markdown, and a state file is YAML or JSON`)
  }
  const wrapped = { SESSION_STATE: state }
  const text =
    format === 'json' ? `${JSON.stringify(wrapped, null, 2)}\n` : COMMENT + formatYaml(wrapped)
  const judge = await openJudge(app)
  const { result } = await checkStateText(text, { format, path, judge })
  const [fault] = result.accepted ? [] : result.diagnostics
  if (fault) throw new WaybillError('internal', `the new state is at fault: ${fault.message}`)
  mustLieInside(app.root, path)
  makeFolders(dirname(path), app.root)
  if (!createAtomically(file, text)) {
    throw new WaybillError('exists', `${path} is there already`, {
      hint: 'go on with it: waybill state next; or name another file with --file',
    })
  }
  return { path, sha256: sha256(text), state: standingIn(state), next: [...NEXT] }
}

/** The nearest folder above the file that is there decides where it would be written. */
function mustLieInside(root: string, path: string): void {
  const { kindOf } = openFiles(root)
  let folder = dirname(path)
  while (folder !== '.' && kindOf(folder) === 'missing') folder = dirname(folder)
  if (kindOf(folder) === 'directory' && !path.startsWith(`..${sep}`)) return
  throw new WaybillError(
    'input-output',
    `${path} cannot be written: it would not lie in a folder of the repository`,
    {
      hint: 'name a file in it, or the repository with --root',
    },
  )
}

function beginningOf({ confidence, ticket }: TypeOf<typeof input>) {
  if (
    confidence !== undefined &&
    !(Number.isInteger(confidence) && confidence >= 0 && confidence <= 100)
  ) {
    throw new WaybillError('usage', '--confidence is a whole number from 0 to 100')
  }
  if (ticket !== undefined && (ticket.trim() === '' || /[\r\n]/.test(ticket))) {
    throw new WaybillError('usage', '--ticket is one line')
  }
  return {
    ...(confidence !== undefined && { confidence }),
    ...(ticket !== undefined && { ticket: ticket.trim() }),
  }
}
