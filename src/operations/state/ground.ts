import { relative, resolve, sep } from 'node:path'
import { spelled } from '../../contract/index.ts'
import { statedShortcuts, whyNotRelative } from '../../contracts/index.ts'
import { formatYaml, type Json, maskSecrets } from '../../document/index.ts'
import {
  openStateFile,
  placeOfState,
  type ReadCache,
  type Repository,
  readCache,
  type StateFile,
} from '../../session/index.ts'
import { lookAt } from '../../workspace/index.ts'
import type { App } from '../operation.ts'
import type { ListingOutput } from './ground-output.ts'
import { mustBeSound } from './report.ts'

/** Opens the state of the session, if there is one. */
export async function stateAt(app: App, file: string | undefined): Promise<StateFile | undefined> {
  const usual = placeOfState(app, undefined).file
  if (file === undefined && !lookAt(usual)) return undefined
  const state = await openStateFile(app, file)
  mustBeSound(state)
  return state
}

/** Returns the state and cache files, which do not count as repository content. */
export function ownPaths(app: App, file: string | undefined, cache?: FoundCache): string[] {
  return [placeOfState(app, file).path, ...(cache ? [cache.path] : [])]
}

/** A cache: its path in the state, its resolved path and its content. */
export interface FoundCache {
  readonly written: string
  readonly path: string
  readonly read: ReadCache
}

const CACHE_FILE = 'repo-cache.yaml'
/** The variable for the repository root at the start of a path in a state. */
const AT_ROOT = /^\$\{?REPO_HOME\}?\//

/** Reads the named cache, or that of the state, or the one at the root. */
export async function openCache(
  app: App,
  named: string | undefined,
  state: StateFile | undefined,
): Promise<FoundCache> {
  if (named !== undefined) {
    const file = resolve(app.cwd, named)
    const inside = relative(app.root, file).split(sep).join('/')
    const path = /^\.\.(?:\/|$)/.test(inside) ? file : inside
    return { written: path, path, read: await readCache(app.root, path, app.now) }
  }
  const written = (state && statedShortcuts(state.value).cachePath?.trim()) || CACHE_FILE
  const path = written.replace(AT_ROOT, '')
  const why = path.includes('$') ? 'starts with an unknown variable' : whyNotRelative(path)
  // Paths in documents must stay inside the repository.
  const read = why === undefined ? await readCache(app.root, path, app.now) : { refused: why }
  return { written, path, read }
}

/** Formats a part of a state as YAML, nested under the key that the state file uses. */
export function asPart(part: Readonly<Record<string, Json>>, state: StateFile | undefined): string {
  const [wrapper] = state?.base ?? []
  return formatYaml(wrapper === undefined ? part : { [wrapper]: part })
}

/** Masks and escapes a text so that it can be shown and pasted. */
export function shown(text: string): string {
  return spelled(maskSecrets(text))
}

/** Returns how a repository was listed, for outputs. */
export function listingOf({ by, files, head }: Repository): ListingOutput {
  return {
    by,
    files: files.length,
    gitHead: 'commit' in head ? head.commit : 'unknown',
    whyNoHead: 'unknown' in head ? head.unknown : null,
  }
}
