import { readFileSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { listed } from '../../contract/index.ts'
import { WaybillError } from '../../error.ts'
import {
  ADAPTERS,
  type Adapter,
  type AgentFile,
  holdsHooks,
  installOf,
  put,
  takeOut,
} from '../../hooks/index.ts'
import {
  cannotRead,
  cannotWrite,
  lookAt,
  makeFolders,
  realPath,
  writeAtomically,
} from '../../workspace/index.ts'
import type { App } from '../operation.ts'
import type { InitStep } from './output.ts'
import { hasLocalProgram, INSTALL_IT, isOnPath } from './program.ts'
import { unifiedDiff } from './unified-diff.ts'

/** The names for `--agent`. */
export const AGENT_NAMES = [...Object.keys(ADAPTERS), 'all'] as const

/** Planned changes to the files of coding agents. */
export interface AgentPlan {
  /** With the difference of each file. */
  readonly steps: readonly InitStep[]
  /** What the user does next, by agent. */
  readonly notes: readonly string[]
  carryOut(): void
}

/** Plans how agents get our hooks, or lose them; throws before anything is written. */
export async function planCodingAgents(
  { root, environment }: App,
  name: string,
  remove: boolean,
): Promise<AgentPlan> {
  const all = Object.values(ADAPTERS)
  const wanted = all.filter(({ agent }) => name === 'all' || agent === name)
  const isLocal = hasLocalProgram(root)
  const others = remove ? await usedByOthers(root, wanted, isLocal) : new Map<string, string[]>()
  const notes: string[] = []
  const changes = new Map<string, Change>()
  for (const adapter of wanted) {
    const { files, next } = await installOf(adapter, isLocal)
    const made = files.flatMap(file => {
      const place = placeOf(root, file.path)
      // A second file may be a link to the first one, and agents share files.
      const change = changes.get(place) ?? planFile(file, place, remove, others.get(file.path))
      if (change) changes.set(place, change)
      return change ?? []
    })
    if (made.some(({ before, after }) => before !== after))
      notes.push(
        remove ? `Restart ${adapter.title}: it keeps the hooks that it started with.` : next,
      )
  }
  if (!remove && !isLocal && environment && !isOnPath(environment.PATH ?? ''))
    notes.push(`The hooks do not run yet, since waybill is not on the path: ${INSTALL_IT}.`)
  const made = [...changes.values()]
  return { steps: made.map(stepOf), notes, carryOut: () => carryAll(made) }
}

/** The files of an agent whose hooks are installed, with the text that each has and should have. */
export async function installedFiles(
  root: string,
  adapter: Adapter,
  isLocal = hasLocalProgram(root),
) {
  const { files, command } = await installOf(adapter, isLocal)
  const [first] = files
  const text = first && readText(placeOf(root, first.path), first.path)
  if (text === undefined || !holdsHooks(text)) return undefined
  return { command, isLocal, files }
}

/** The files of an agent that are not as init writes them. */
export function outdatedFiles(root: string, files: readonly AgentFile[]): string[] {
  return files.flatMap(file => {
    const text = readText(placeOf(root, file.path), file.path)
    return put(text, file) === text ? [] : [file.path]
  })
}

interface Change {
  readonly path: string
  readonly file: string
  readonly note: string
  readonly before: string | undefined
  readonly after: string | undefined
}

function planFile(
  file: AgentFile,
  place: string,
  remove: boolean,
  users: readonly string[] | undefined,
): Change | undefined {
  const { path } = file
  const before = readText(place, path)
  const change = { path, file: place, note: noteOf(file), before }
  if (!remove) {
    const after = put(before, file)
    return after === undefined ? undefined : { ...change, after }
  }
  if (before === undefined) return undefined
  if (users) return { ...change, after: before, note: `used by ${listed(users)}` }
  const after = takeOut(before, file)
  return after === before ? undefined : { ...change, after }
}

function noteOf(file: AgentFile): string {
  if (file.kind === 'block')
    return file.comment === 'hash' ? 'the MCP server' : 'what agents do with Waybill'
  if (file.kind === 'json')
    return [file.hooks && 'the hooks', file.members && 'the MCP server']
      .filter(Boolean)
      .join(' and ')
  return file.path.endsWith('SKILL.md') ? 'a skill' : 'the hooks'
}

/** The files that agents which keep their hooks need, with the names of those agents. */
async function usedByOthers(root: string, removed: readonly Adapter[], isLocal: boolean) {
  const users = new Map<string, string[]>()
  for (const adapter of Object.values(ADAPTERS)) {
    if (removed.includes(adapter)) continue
    const installed = await installedFiles(root, adapter, isLocal)
    for (const { path } of installed?.files ?? [])
      users.set(path, [...(users.get(path) ?? []), adapter.title])
  }
  return users
}

function stepOf({ path, note, before, after }: Change): InitStep {
  const action =
    before === after
      ? 'kept'
      : before === undefined
        ? 'created'
        : after === undefined
          ? 'removed'
          : 'changed'
  const diff = unifiedDiff(path, before, after)
  return { path, action, note, ...(diff !== '' && { diff }) }
}

/** Makes every change; after a failure, none. */
function carryAll(changes: readonly Change[]): void {
  const done: Change[] = []
  try {
    for (const change of changes) {
      carry(change)
      done.unshift(change)
    }
  } catch (error) {
    for (const { before, after, ...change } of done)
      carry({ ...change, before: after, after: before })
    throw error
  }
}

function carry({ file, before, after }: Change): void {
  if (before === after) return
  if (after === undefined) removeFile(file)
  else {
    try {
      makeFolders(dirname(file))
    } catch (cause) {
      throw cannotWrite(file, cause)
    }
    writeAtomically(file, after)
  }
}

/** Removes a file and the folders that this empties. */
function removeFile(file: string): void {
  try {
    rmSync(file)
  } catch (cause) {
    throw cannotWrite(file, cause)
  }
  try {
    for (let folder = dirname(file); ; folder = dirname(folder)) rmdirSync(folder)
  } catch {
    // The first folder that is not empty stays.
  }
}

/** Where a path leads; a link out of the repository is refused. */
function placeOf(root: string, path: string): string {
  const [place, base] = [realPath(join(root, path)), realPath(root)]
  if (!place.startsWith(base + sep))
    throw misplaced(path, 'is a link to a place outside the repository')
  // A link that is left in the real path is broken.
  for (let at = place; at !== base; at = dirname(at))
    if (lookAt(at)?.isSymbolicLink()) throw misplaced(path, 'leads over a broken link')
  const found = lookAt(place)
  if (found && !found.isFile()) throw misplaced(path, 'is not a file')
  return place
}

function misplaced(path: string, why: string): WaybillError {
  return new WaybillError('input-output', `${path} ${why}`, {
    hint: 'move it away and run this again; nothing was written',
  })
}

function readText(place: string, path: string): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(place))
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw cannotRead(path, cause)
  }
}
