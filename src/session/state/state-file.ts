import { relative, resolve, sep } from 'node:path'
import {
  as,
  checkDocument,
  type Facts,
  type Fields,
  type LoadedContract,
  type Override,
  type Result,
} from '../../contract/index.ts'
import { findContract, isGuard, loadContract, type StateBasis } from '../../contracts/index.ts'
import {
  type Document,
  decode,
  type Format,
  formatOf,
  MOST_BYTES,
  readDocuments,
} from '../../document/index.ts'
import { WaybillError } from '../../error.ts'
import {
  type Config,
  cannotRead,
  loadConfig,
  openFiles,
  readOwnFile,
  sha256,
} from '../../workspace/index.ts'

/** The default path of the state file. */
const STATE_FILE = 'SESSION_STATE.yaml'

/** What reading a state needs from the app. */
export interface StateContext {
  readonly root: string
  readonly cwd: string
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** A state with its rules. */
export interface CheckedState {
  readonly document: Document
  /** The key that contains the state in its document, if any. */
  readonly base: readonly string[]
  readonly value: Fields
  readonly result: Result
  /** Whether its structure is valid, so that values computed from it are meaningful. */
  readonly sound: boolean
}

/** The state file of a session and its check result. */
export interface StateFile extends CheckedState {
  readonly file: string
  /** Relative to the root, forward slashes. */
  readonly path: string
  /** Returns the SHA-256 of its bytes; lazy, since hashing takes a tenth of a short run. */
  digest(): string
  readonly text: string
  readonly format: Format
  /** Whether it starts with a byte order mark, which is kept. */
  readonly marked: boolean
  readonly judge: Judge
}

/** The loaded rules and their configuration. */
export interface Judge {
  readonly loaded: LoadedContract
  readonly severities: ReadonlyMap<string, Override>
  readonly basis: StateBasis
}

/** The absolute path of a state file, and its path from the root. */
export function placeOf({ root, cwd }: StateContext, name: string | undefined) {
  const file = name === undefined ? resolve(root, STATE_FILE) : resolve(cwd, name)
  return { file, path: relative(root, file).split(sep).join('/') }
}

/** Reads and checks the state file of a session. @throws {WaybillError} 'not-found' when it does not exist. */
export async function openStateFile(
  around: StateContext,
  name: string | undefined,
): Promise<StateFile> {
  const place = placeOf(around, name)
  const bytes = readBytes(around, place)
  const { text, faults } = decode(bytes)
  const format = stateFormat(place.path, text)
  if (format === 'markdown') {
    throw new WaybillError('usage', `${place.path} is Markdown, but a state file is YAML or JSON`, {
      hint: 'keep the state in a separate file; waybill check also reads blocks in Markdown',
    })
  }
  const judge = await openJudge(around)
  const { documents } = await readDocuments(text, format, faults)
  const checked = judged(documents[0], place.path, judge)
  const marked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  const digest = () => sha256(bytes)
  return { ...checked, ...place, digest, text, format, marked, judge }
}

/** The format of a state. Without a known file extension it is never Markdown, even if it starts with a comment. */
export function stateFormat(name: string, text: string): Format {
  const format = formatOf(name, text)
  if (format !== 'markdown' || /\.(?:md|markdown)$/i.test(name)) return format
  return text.trimStart().startsWith('{') ? 'json' : 'yaml'
}

function readBytes({ root }: StateContext, { file, path }: { file: string; path: string }) {
  if (openFiles(root).kindOf(path) === 'outside') {
    throw new WaybillError('input-output', `${path} lies outside the repository`, {
      hint: 'name a file in it, or set the repository with --root',
    })
  }
  let bytes: Uint8Array | undefined
  try {
    bytes = readOwnFile(file, MOST_BYTES)
  } catch (cause) {
    throw cannotRead(path, cause)
  }
  if (bytes) return bytes
  throw new WaybillError('not-found', `${path} does not exist`, {
    hint: 'start a session with waybill state init, or name its file with --file',
  })
}

/** Loads the rules and their configuration. */
export async function openJudge({ root, now }: StateContext): Promise<Judge> {
  const contract = findContract('session-state')
  if (!contract) throw new Error('the contract of session states is missing')
  const [loaded, config] = await Promise.all([loadContract(contract), loadConfig(root)])
  const severities = severitiesFor(config, loaded)
  const lighter = [...severities].filter(([, { severity }]) => severity !== 'error')
  const excused = new Set(lighter.map(([code]) => code))
  return { loaded, severities, basis: { rules: loaded.rules, now, excused } }
}

/** The configuration, without settings that would relax a gate or a transition. */
function severitiesFor({ rules = {} }: Config, loaded: LoadedContract): Map<string, Override> {
  const all = Object.entries(rules).filter(
    ([code, { severity }]) => severity === 'error' || !isGuard(code, loaded.rules),
  )
  return new Map(all)
}

/** Checks a text as the state of a session, compared with the earlier state if any. */
export async function checkStateText(
  text: string,
  { format, path, judge }: { format: Format; path: string; judge: Judge },
  previous?: Fields,
): Promise<CheckedState> {
  const { documents } = await readDocuments(text, format)
  const facts = previous && { previous: { value: previous } }
  return judged(documents[0], path, judge, facts)
}

function judged(
  document: Document | undefined,
  path: string,
  { loaded, severities, basis }: Judge,
  facts: Facts = {},
): CheckedState {
  if (!document) throw new Error(`${path} contains no document`)
  const recognised = as(loaded.contract, document.value)
  const options = { now: basis.now, path, severities, facts }
  const result = checkDocument(document, recognised, loaded, options)
  const sound = !result.diagnostics.some(
    ({ code, severity }) => severity === 'error' && /^(?:syntax|schema|document)\//.test(code),
  )
  const value = sound ? (recognised.value as Fields) : {}
  return { document, base: recognised.base, value, result, sound }
}
