import { readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { WaybillError } from '../../error.ts'
import { readLineage, readNotes, rulesAfterNewest } from '../../session/index.ts'
import {
  type Config,
  openStateFolder,
  stateFolder,
  versionOf,
  writeAtomically,
} from '../../workspace/index.ts'

/** A rule in force, as hooks show and compare it. */
export interface KnownRule {
  readonly id: string
  readonly text: string
  /** What it is about; only such a rule is checked. */
  readonly scope?: string
  /** The document or note that states it. */
  readonly origin: string
  /** ISO 8601, if known. */
  readonly since?: string
  readonly by?: string
}

/** The rules in force, and the versions of the files and folders that they were read from. */
interface Known {
  readonly rules: readonly KnownRule[]
  readonly versions: Readonly<Record<string, string>>
}

/** The origin of a rule that no handoff has taken yet. */
export const NOTED = 'waybill note'

const FOLDER = 'hooks'
const FILE = 'rules.json'
/** Where handoffs usually appear. */
const PLACES = ['.', 'handoffs', 'docs', 'docs/handoffs', 'waybill.yaml']

/**
 * Reads the rules in force, those of notes among them.
 *
 * Each tool call starts a process, so they are kept until a file or folder that they come from changes.
 * A handoff in a folder that had none is seen when the session starts, which reads everything.
 */
export async function knownRules(
  root: string,
  config: () => Promise<Config>,
  { again = false } = {},
): Promise<readonly KnownRule[]> {
  const known = again ? undefined : readKnown(root)
  return [...(known ?? (await read(root, await config()))).rules, ...noted(root)]
}

/** Whether checked rules are known from an earlier call, without a look at whether they still hold. */
export function hasKnownRules(root: string): boolean {
  try {
    return parse(root)?.rules.some(({ scope }) => scope !== undefined) ?? false
  } catch {
    return false
  }
}

async function read(root: string, config: Config): Promise<Known> {
  const lineage = await readLineage(root, config)
  const paths = lineage.members.map(({ path }) => path)
  const folders = [...new Set(paths.map(path => dirname(path)))]
  // Before reading the rules: a later change then differs from these versions.
  const versions = versionsOf(root, [...PLACES, ...folders, ...paths])
  const rules = rulesAfterNewest(root, lineage).map(({ id, text, scope, since, by }) => ({
    ...{ id, text, origin: since.path },
    ...(scope !== undefined && { scope }),
    ...(since.timestamp !== undefined && { since: since.timestamp }),
    ...(by !== undefined && { by }),
  }))
  const known = { versions, rules }
  keepKnown(root, known)
  return known
}

/** The rules hold even where they cannot be kept, such as in a folder that is read-only. */
function keepKnown(root: string, known: Known): void {
  try {
    writeAtomically(join(openStateFolder(root, FOLDER), FILE), JSON.stringify(known))
  } catch (error) {
    if (!(error instanceof WaybillError)) throw error
  }
}

/** Rules noted in this session count before a handoff takes them. */
function noted(root: string): KnownRule[] {
  return readNotes(root)
    .filter(({ kind, done }) => kind === 'rule' && !done)
    .map(({ id, text, scope, at, by }) => ({
      ...{ id, text, origin: NOTED, since: at, by },
      ...(scope !== undefined && { scope }),
    }))
}

function readKnown(root: string): Known | undefined {
  try {
    const known = parse(root)
    if (!known) return undefined
    const now = versionsOf(root, Object.keys(known.versions))
    const isSame = Object.entries(known.versions).every(([path, version]) => now[path] === version)
    return isSame ? known : undefined
  } catch {
    // Not there yet, or damaged: it is read from the documents.
    return undefined
  }
}

function parse(root: string): Known | undefined {
  const text = readFileSync(join(stateFolder(root), FOLDER, FILE), 'utf8')
  const { versions, rules } = (JSON.parse(text) ?? {}) as Partial<Known>
  const isWhole = versions && PLACES.every(place => Object.hasOwn(versions, place))
  return isWhole && Array.isArray(rules) && rules.every(isRule) ? { versions, rules } : undefined
}

function isRule(value: unknown): value is KnownRule {
  const { id, text, origin, scope, since, by } = (value ?? {}) as Readonly<Record<string, unknown>>
  return (
    [id, text, origin].every(one => typeof one === 'string') &&
    [scope, since, by].every(one => one === undefined || typeof one === 'string')
  )
}

function versionsOf(root: string, paths: readonly string[]): Record<string, string> {
  return Object.fromEntries(paths.map(path => [path, version(join(root, path))]))
}

function version(path: string): string {
  // The names in a folder change its modification time; other changes to it do not matter.
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats?.isDirectory() ? String(stats.mtimeMs) : (versionOf(path) ?? 'none')
}
