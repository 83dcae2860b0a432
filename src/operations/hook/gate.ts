import { existsSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { spelled } from '../../contract/index.ts'
import { formatDuration, maskSecrets, parseInstant } from '../../document/index.ts'
import { readShell, type ToolCall, type Verdict } from '../../hooks/index.ts'
import { openStateFile } from '../../session/index.ts'
import {
  type Config,
  findRoot,
  loadConfig,
  pathFromRoot,
  realPath,
  STATE_FOLDER,
} from '../../workspace/index.ts'
import type { App } from '../operation.ts'
import { codeIn } from '../state/may-write-code.ts'
import { hasKnownRules, type KnownRule, knownRules, NOTED } from './rules.ts'
import { matchesCommand, pathScope } from './scope.ts'

/** A tool call in the repository: paths from its root, commands as words. */
interface Touched {
  readonly paths: readonly string[]
  readonly commands: readonly (readonly string[])[]
}

/** What was decided about an event. */
export interface Judgement extends Verdict {
  /** The rule that decided: the id of a standing rule, or the code of a state rule. */
  readonly rule?: string
  /** The repository whose gate or rule decided, where it is not the one of the agent. */
  readonly root?: string
  /** The path of a handoff that was drafted. */
  readonly drafted?: string
}

const STATE_FILE = 'SESSION_STATE.yaml'
const USED = ['waybill.yaml', STATE_FILE, 'handoffs', 'HANDOFF.md', '.waybill']

/** Whether a repository uses Waybill, by names at its root; hooks are silent elsewhere. */
export function usesWaybill(root: string): boolean {
  return USED.some(name => existsSync(join(root, name)))
}

/** Judges a tool call in the repository of the agent, and in others whose files it writes. */
export async function judgeCall(call: ToolCall, app: App): Promise<Judgement> {
  for (const root of rootsOf(call, app)) {
    const judged = await judgeIn(call, { ...app, root })
    if (judged.decision) return { ...judged, root }
  }
  return {}
}

function rootsOf(call: ToolCall, { root, cwd }: App): string[] {
  const places = useOf(call).paths.map(path => realPath(resolve(cwd, path)))
  const owners = [root, ...places].flatMap(place => ownerOf(place) ?? [])
  const byPlace = new Map([...owners, root].map(one => [realPath(one), one]))
  return [...byPlace.values()].filter(usesWaybill)
}

/** The repository that a place belongs to; a submodule belongs to the one around it. */
function ownerOf(place: string): string | undefined {
  const root = findRoot(place)
  if (root === undefined || usesWaybill(root)) return root
  const isPart = statSync(join(root, '.git'), { throwIfNoEntry: false })?.isFile()
  return isPart && dirname(root) !== root ? ownerOf(dirname(root)) : root
}

/** Judges by the gate of the session state and by the scopes of the rules in force. */
async function judgeIn(call: ToolCall, app: App): Promise<Judgement> {
  const config = remembered(app.root)
  const touched = touchedBy(call, app)
  const paths = touched.paths.filter(path => !isSessionFile(path))
  if (paths.length === 0 && touched.commands.length === 0) return {}
  const own = paths.find(path => path.startsWith(`${STATE_FOLDER}/`))
  if (own !== undefined) return ownState(own)
  const code = paths.filter(path => !isWayOut(path))
  const closed = code.length > 0 ? await closedGate(code, app) : undefined
  if (closed) return closed
  for (const rule of await knownRules(app.root, config)) {
    const { scope } = rule
    const match = scope === undefined ? undefined : matchOf(scope, { ...touched, paths })
    if (match !== undefined) return denial(rule, match, (await config()).hooks?.rules, app)
  }
  return {}
}

/** What Waybill knows, such as the rules, is not for agents to write. */
function ownState(path: string): Judgement {
  return {
    decision: 'deny',
    rule: 'hook/own-state',
    reason: `Waybill: ${quoted(path)} is its local state, which only Waybill writes. Use its commands instead.`,
  }
}

/** Judges a call that could not be judged: closed where gates or rules exist, or as configured. */
export async function judgeFailure(
  call: ToolCall | undefined,
  why: string,
  app: App,
): Promise<Judgement> {
  // What repairs the fault must stay possible.
  const { paths, commands } = call ? touchedBy(call, app) : { paths: [], commands: [] }
  if (call && commands.every(isWaybill) && paths.every(isWayOut)) return {}
  if (!(await isClosed(app.root))) return { notice: `Waybill could not judge this call: ${why}` }
  return {
    decision: 'deny',
    rule: 'hook/failed',
    reason:
      `Waybill cannot judge this call: ${why}. It denies what it cannot judge, since this repository has rules or a ` +
      `session state. Mend the fault (documents and waybill.yaml may be edited), or run waybill doctor.`,
  }
}

async function isClosed(root: string): Promise<boolean> {
  const isGuarded = existsSync(join(root, STATE_FILE)) || hasKnownRules(root)
  try {
    const { failure } = (await loadConfig(root)).hooks ?? {}
    return failure === undefined ? isGuarded : failure === 'closed'
  } catch {
    return isGuarded
  }
}

/** Reads the configuration once, and only when it is needed. */
function remembered(root: string): () => Promise<Config> {
  let config: Promise<Config> | undefined
  return () => {
    config ??= loadConfig(root)
    return config
  }
}

/** What a call touches: paths as they are written. */
function useOf({ writes, command, folder }: ToolCall): Touched {
  if (command === undefined) return { paths: writes, commands: [] }
  const shell = readShell(command, homedir(), folder)
  return { paths: [...writes, ...shell.writes], commands: shell.commands }
}

function touchedBy(call: ToolCall, { root, cwd }: App): Touched {
  const use = useOf(call)
  const paths = use.paths.map(path => {
    const place = { root, cwd }
    const written = pathFromRoot(path, place)
    // A link leads to what is written.
    return written.startsWith('../')
      ? written
      : pathFromRoot(realPath(join(root, written)), { root: realPath(root), cwd })
  })
  return { paths: paths.filter(path => !path.startsWith('../')), commands: use.commands }
}

/** Commands of Waybill find and mend faults. */
function isWaybill(words: readonly string[]): boolean {
  return /^(?:npx (?:-\S+ )*|\S*\/)?waybill(?: |$)/.test(words.join(' '))
}

/** The state and the handoffs may always be edited: what a rule or gate asks for is written there. */
function isSessionFile(path: string): boolean {
  return path === STATE_FILE || path.startsWith('handoffs/')
}

/** Documents stay editable behind a closed gate: the way to open it leads through them. */
function isWayOut(path: string): boolean {
  return (
    isSessionFile(path) ||
    path === 'waybill.yaml' ||
    path.startsWith('.git/') ||
    /\.(?:md|mdx|markdown|txt)$/i.test(path)
  )
}

async function closedGate(paths: readonly string[], app: App): Promise<Judgement | undefined> {
  if (!existsSync(join(app.root, STATE_FILE))) return undefined
  const { answer, rule, reason, hint } = codeIn(await openStateFile(app, undefined))
  if (answer) return undefined
  const [path = ''] = paths
  return {
    decision: 'deny',
    rule,
    reason:
      `Waybill: code may not be written yet, so ${quoted(path)} stays as it is. ${sentence(reason)} (${rule}) ` +
      `${hint === undefined ? '' : `${sentence(hint)} `}` +
      `You may edit ${STATE_FILE}, handoffs and Markdown documents. Run waybill state next to see what is missing.`,
  }
}

function matchOf(scope: string, { paths, commands }: Touched): string | undefined {
  const command = commands.find(words => matchesCommand(scope, words))
  if (command) return command.join(' ')
  if (/\s/.test(scope.trim())) return undefined
  return paths.find(pathScope(scope))
}

function denial(
  { id, text, origin, since, by, scope = '' }: KnownRule,
  match: string,
  onRule: 'deny' | 'ask' = 'deny',
  { now }: App,
): Judgement {
  const time = since === undefined ? undefined : parseInstant(since)
  const age = time === undefined ? '' : `, ${formatDuration(Math.max(0, now - time))} ago`
  const author = by === undefined ? '' : `, by ${spelled(by)}`
  return {
    decision: onRule,
    rule: id,
    reason:
      `Waybill: the standing rule ${id} is about ${quoted(match)}: "${spelled(text)}" ` +
      `(scope ${quoted(scope)}; since ${spelled(origin)}${age}${author}). Do it another way, or ask the user. ` +
      `Only a person can end the rule: ${origin === NOTED ? `waybill note --drop ${id}` : `waybill handoff --supersede '${id}=why' --by '<name>'`}.`,
  }
}

const MOST_SHOWN = 200

function quoted(text: string): string {
  // A part of a secret is not recognized.
  const masked = maskSecrets(text)
  const shown = masked.length > MOST_SHOWN ? `${masked.slice(0, MOST_SHOWN)}…` : masked
  return `\`${spelled(shown)}\``
}

function sentence(text: string): string {
  const end = /[.!?]$/.test(text) ? '' : '.'
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${end}`
}
