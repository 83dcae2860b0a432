import { posix, relative, resolve, sep } from 'node:path'
import { WaybillError } from '../../error.ts'
import { type Config, lookAt, openFiles, pathFromRoot } from '../../workspace/index.ts'
import type { App } from '../operation.ts'

const MANIFEST = 'prompt-manifest.json'
const LOCK = 'prompt-lock.json'

/** The inputs that name a manifest and its lock. */
export const PLACES = {
  manifest: {
    type: 'string',
    path: true,
    placeholder: 'file',
    description:
      'The manifest (default: set in waybill.yaml, else prompt-manifest.json here or in a folder above).',
  },
  lock: {
    type: 'string',
    path: true,
    placeholder: 'file',
    description:
      'The lock (default: set in waybill.yaml, else prompt-lock.json next to the manifest).',
  },
} as const

/** Paths of the manifest and the lock from the root; the lock need not exist. */
export interface Places {
  readonly manifest: string
  readonly lock: string
}

/** Finds the manifest and its lock. */
export function findPlaces(
  given: { readonly manifest?: string | undefined; readonly lock?: string | undefined },
  config: Config,
  app: App,
): Places {
  const configured = config.agents?.manifest
  const manifest =
    (given.manifest === undefined ? undefined : pathFromRoot(given.manifest, app)) ??
    configured ??
    nearestManifest(app)
  if (manifest === undefined) {
    throw new WaybillError('not-found', `no ${MANIFEST} in this folder or above`, {
      hint: 'name it with --manifest, or under agents: in waybill.yaml',
    })
  }
  // The configured lock belongs to the configured manifest.
  const usual =
    configured === undefined || configured === manifest ? config.agents?.lock : undefined
  const lock =
    (given.lock === undefined ? undefined : pathFromRoot(given.lock, app)) ??
    usual ??
    posix.join(posix.dirname(manifest), LOCK)
  mustBeInside('manifest', manifest, app)
  mustBeInside('lock', lock, app)
  if (lock === manifest) {
    throw new WaybillError('usage', `${lock} is named as both the manifest and the lock`, {
      hint: 'name two files with --manifest and --lock, or under agents: in waybill.yaml',
    })
  }
  if (!isThere(manifest, app)) {
    throw new WaybillError('not-found', `the manifest ${manifest} does not exist`, {
      hint: 'name another one with --manifest, or under agents: in waybill.yaml',
    })
  }
  return { manifest, lock }
}

/** Tells whether anything exists at a path from the root. */
export function isThere(path: string, { root }: App): boolean {
  return lookAt(resolve(root, path), path) !== undefined
}

function nearestManifest({ root, cwd }: App): string | undefined {
  const files = openFiles(root)
  const here = relative(root, cwd).split(sep).join('/')
  for (let folder = here === '' ? '.' : here; ; folder = posix.dirname(folder)) {
    // From outside of the repository, look at its root.
    const path = posix.join(folder.startsWith('..') ? '.' : folder, MANIFEST)
    if (files.kindOf(path) === 'file') return path
    if (folder === '.' || folder.startsWith('..')) return undefined
  }
}

function mustBeInside(what: string, path: string, { root }: App): void {
  const kind = openFiles(root).kindOf(path)
  if (kind === 'outside') {
    throw new WaybillError('usage', `the ${what} ${path} is outside the repository`, {
      hint: 'name a file in the repository, or another repository with --root',
    })
  }
  if (kind !== 'directory') return
  throw new WaybillError('usage', `the ${what} ${path} is a folder`, {
    hint: 'name the file in it',
  })
}
