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

/** The state of the session, where there is one. */
export async function stateAt(app: App, file: string | undefined): Promise<StateFile | undefined> {
  const usual = placeOfState(app, undefined).file
  if (file === undefined && !lookAt(usual)) return undefined
  const state = await openStateFile(app, file)
  mustBeSound(state)
  return state
}

/** The files of the session itself, which belong to no repository: the state, and the cache. */
export function ownPaths(app: App, file: string | undefined, cache?: FoundCache): string[] {
  return [placeOfState(app, file).path, ...(cache ? [cache.path] : [])]
}

/** Where a cache is, as the state writes it and as it can be followed, and what it says. */
export interface FoundCache {
  readonly written: string
  readonly path: string
  readonly read: ReadCache
}

const CACHE_FILE = 'repo-cache.yaml'
/** How a state begins a path at the root of the repository. */
const AT_ROOT = /^\$\{?REPO_HOME\}?\//

/** Reads the cache that is named, else the one that the state names, else that at the root. */
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
  const why = path.includes('$') ? 'begins at a place that is not known here' : whyNotRelative(path)
  // What a document names stays inside the repository.
  const read = why === undefined ? await readCache(app.root, path, app.now) : { refused: why }
  return { written, path, read }
}

/** A part of a state as YAML, set in where the state file has it below a key of its own. */
export function asPart(part: Readonly<Record<string, Json>>, state: StateFile | undefined): string {
  const [wrapper] = state?.base ?? []
  return formatYaml(wrapper === undefined ? part : { [wrapper]: part })
}

/** A text of a document or the name of a file, fit to be shown and to be pasted. */
export function shown(text: string): string {
  return spelled(maskSecrets(text))
}

/** How a repository was listed, as results show it. */
export function listingOf({ by, files, head }: Repository): ListingOutput {
  return {
    by,
    files: files.length,
    gitHead: 'commit' in head ? head.commit : 'unknown',
    whyNoHead: 'unknown' in head ? head.unknown : null,
  }
}
