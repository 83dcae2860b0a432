import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { WaybillError } from '../../error.ts'
import { readLineage, readNotes } from '../../session/index.ts'
import {
  filesChangedAfter,
  loadConfig,
  openStateFolder,
  removeLeft,
  sha256,
  stateFolder,
  writeAtomically,
} from '../../workspace/index.ts'

/** What hooks remember about a session of a coding agent. */
export interface HookSession {
  /** When it started, in milliseconds since the epoch. */
  readonly since: number
  /** It was asked for a handoff. */
  readonly asked?: true
  /** Its conversation was compacted, and it has not been briefed since. */
  readonly compacted?: true
  /** The handoffs that a hook drafted for it. */
  readonly drafts?: readonly string[]
}

/** Reads what is known about a session. */
export function readSession(root: string, id: string): HookSession | undefined {
  try {
    const known = JSON.parse(readFileSync(join(stateFolder(root), 'hooks', nameOf(id)), 'utf8'))
    return typeof known?.since === 'number' ? known : undefined
  } catch {
    return undefined
  }
}

/** Remembers a session; a session that is known keeps its start. */
export function writeSession(root: string, id: string, session: HookSession): void {
  writeAtomically(join(openStateFolder(root, 'hooks'), nameOf(id)), JSON.stringify(session))
}

/** Begins a session, or goes on with one that was just compacted; what cannot be remembered costs no brief. */
export function beginSession(root: string, id: string, now: number): void {
  const { compacted, ...known } = readSession(root, id) ?? { since: now }
  try {
    writeSession(root, id, known)
    forgetSessions(openStateFolder(root, 'hooks'), now - MONTH)
  } catch (error) {
    if (!(error instanceof WaybillError)) throw error
  }
}

const MONTH = 30 * 24 * 60 * 60 * 1000

/** Forgets sessions that have not been heard of since a time: an agent need not say that one ended. */
function forgetSessions(folder: string, time: number): void {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name)
    if (name.startsWith('session-') && timeOf(file) < time) removeLeft(file)
  }
}

function nameOf(id: string): string {
  return `session-${sha256(id).slice(0, 16)}.json`
}

/** What a session changed, and whether it handed that over. */
export interface SessionWork {
  /** The files that it changed and that are no handoffs, relative to the root. */
  readonly changed: readonly string[]
  /** Notes of the session wait for a handoff. */
  readonly hasNotes: boolean
  /** A handoff that is no draft of a hook is newer than every change. */
  readonly isHandedOver: boolean
  /** A handoff, maybe a draft, is newer than every change. */
  readonly isKept: boolean
}

/** Looks at the files that changed since a session started; outside of a Git repository none are known. */
export async function workOf(
  { since, drafts = [] }: HookSession,
  root: string,
): Promise<SessionWork> {
  const { byPath, members } = await readLineage(root, await loadConfig(root))
  const files = filesChangedAfter(root, since)
    .filter(path => !byPath.has(path))
    .map(path => ({ path, time: timeOf(join(root, path)) }))
    .filter(({ time }) => time >= since)
  const handoffs = members.filter(({ handoff }) => handoff).map(({ path }) => path)
  const isAfterChanges = (paths: readonly string[]) => {
    const newest = Math.max(since, ...paths.map(path => timeOf(join(root, path))))
    return files.every(({ time }) => time <= newest)
  }
  return {
    changed: files.map(({ path }) => path),
    hasNotes: readNotes(root).some(({ at }) => Date.parse(at) >= Math.floor(since / 1000) * 1000),
    isHandedOver: isAfterChanges(handoffs.filter(path => !drafts.includes(path))),
    isKept: isAfterChanges(handoffs),
  }
}

function timeOf(file: string): number {
  try {
    // A link changes when it leads elsewhere, and may lead nowhere.
    return lstatSync(file).mtimeMs
  } catch {
    return -Infinity
  }
}
