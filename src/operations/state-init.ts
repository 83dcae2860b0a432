import { dirname, sep } from 'node:path'
import { initialState } from '../contracts/index.ts'
import { formatYaml } from '../document/index.ts'
import { WaybillError } from '../error.ts'
import { checkStateText, openJudge, placeOfState, stateFormat } from '../session/index.ts'
import { createAtomically, currentBranch, openFiles, sha256 } from '../workspace/index.ts'
import { makeFolders } from './new/place.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'
import { findProfile, profileNamed } from './state/find-profile.ts'
import { FILE, standingIn } from './state/report.ts'
import type { StateInitOutput } from './state-init/output.ts'

const input = {
  type: 'object',
  properties: {
    ticket: { type: 'string', placeholder: 'line', description: 'The ticket in one line.' },
    confidence: {
      type: 'integer',
      placeholder: '0-100',
      description:
        'How well the session understands the request (default: 70, the minimum to advance).',
    },
    profile: {
      type: 'string',
      placeholder: 'name',
      actor: 'human',
      description: 'The profile that you choose (default: the one that the files indicate).',
    },
    file: { ...FILE, makes: true },
  },
} as const

/** Writes the state file of a new session. */
export default defineOperation({
  name: 'state init',
  summary: 'Write the state file of a new session',
  description:
    'Writes a valid state in phase 1.1: no decisions, all gates pending. It names the profile and the rulebooks that the ' +
    'repository shows; the source of the profile stays deferred until discovery is complete. An existing file is never ' +
    'overwritten.',
  examples: [
    { command: 'waybill state init', does: 'write SESSION_STATE.yaml at the root' },
    {
      command: 'waybill state init --ticket "ORD-118: put orders on hold"',
      does: 'write it with the ticket',
    },
    {
      command: 'waybill state init --profile backend-java',
      does: 'choose the profile yourself',
    },
  ],
  actor: 'any',
  effect: 'write',
  input,
  run: (given, app) => init(given, app),
})

const NEXT = [
  { command: 'waybill state next', does: 'show the possible next steps' },
  { command: 'waybill state advance', does: 'move to repository discovery' },
] as const

/** The comment at the top of the file. */
const COMMENT =
  '# The state of this session. Next steps: waybill state next. Meaning of the keys: waybill schema session-state\n'

async function init(given: TypeOf<typeof input>, app: App): Promise<StateInitOutput> {
  const { file, path } = placeOfState(app, given.file)
  const beginning = beginningOf(given)
  const { decides, ...found } = findProfile(app, given.file, {
    named: profileNamed(given.profile),
  })
  const state = initialState({ ...beginning, found })
  const format = stateFormat(path, '')
  if (format === 'markdown') {
    throw new WaybillError('usage', `${path} is Markdown, but a state file must be YAML or JSON`)
  }
  const wrapped = { SESSION_STATE: state }
  const text =
    format === 'json' ? `${JSON.stringify(wrapped, null, 2)}\n` : COMMENT + formatYaml(wrapped)
  const judge = await openJudge(app)
  const { result } = await checkStateText(text, { format, path, judge })
  const [fault] = result.accepted ? [] : result.diagnostics
  if (fault) throw new WaybillError('internal', `the new state is invalid: ${fault.message}`)
  mustLieInside(app.root, path)
  makeFolders(dirname(path), app.root)
  if (!createAtomically(file, text)) {
    throw new WaybillError('exists', `${path} exists already`, {
      hint: 'continue with waybill state next, or name another file with --file',
    })
  }
  return {
    path,
    sha256: sha256(text),
    state: standingIn(state),
    found: {
      branch: currentBranch(app.root) ?? null,
      profile: found.profile || null,
      evidence: found.evidence || null,
      core: found.core || null,
      rulebook: found.rulebook || null,
      decides,
    },
    next: [...NEXT],
  }
}

/** Requires that the nearest existing folder above the file is inside the repository. */
function mustLieInside(root: string, path: string): void {
  const { kindOf } = openFiles(root)
  let folder = dirname(path)
  while (folder !== '.' && kindOf(folder) === 'missing') folder = dirname(folder)
  if (kindOf(folder) === 'directory' && !path.startsWith(`..${sep}`)) return
  throw new WaybillError(
    'input-output',
    `${path} cannot be written: it is not in a folder of the repository`,
    {
      hint: 'name a file in the repository, or another repository with --root',
    },
  )
}

function beginningOf({ confidence, ticket }: TypeOf<typeof input>) {
  if (
    confidence !== undefined &&
    !(Number.isInteger(confidence) && confidence >= 0 && confidence <= 100)
  ) {
    throw new WaybillError('usage', '--confidence must be a whole number from 0 to 100')
  }
  if (ticket !== undefined && (ticket.trim() === '' || /[\r\n]/.test(ticket))) {
    throw new WaybillError('usage', '--ticket must be one non-empty line')
  }
  return {
    ...(confidence !== undefined && { confidence }),
    ...(ticket !== undefined && { ticket: ticket.trim() }),
  }
}
