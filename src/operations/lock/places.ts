import { posix, relative, resolve, sep } from 'node:path'
import { WaybillError } from '../../error.ts'
import { type Config, lookAt, openFiles, pathFromRoot } from '../../workspace/index.ts'
import type { App } from '../operation.ts'

const MANIFEST = 'prompt-manifest.json'
const LOCK = 'prompt-lock.json'

/** The inputs by which a manifest and its lock are named. */
export const PLACES = {
  manifest: {
    type: 'string',
    path: true,
    placeholder: 'file',
    description:
      'The manifest (default: that of waybill.yaml, else prompt-manifest.json here or in a folder above).',
  },
  lock: {
    type: 'string',
    path: true,
    placeholder: 'file',
    description:
      'The lock (default: that of waybill.yaml, else prompt-lock.json beside the manifest).',
  },
} as const

/** Where the manifest and the lock are, from the root; the lock need not be there. */
export interface Places {
  readonly manifest: string
  readonly lock: string
}

/** Finds the manifest that is meant, and its lock. */
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
    throw new WaybillError('not-found', `there is no ${MANIFEST} here or in a folder above`, {
      hint: 'name it with --manifest, or under agents: in waybill.yaml',
    })
  }
  // The configured lock is that of the configured manifest.
  const usual =
    configured === undefined || configured === manifest ? config.agents?.lock : undefined
  const lock =
    (given.lock === undefined ? undefined : pathFromRoot(given.lock, app)) ??
    usual ??
    posix.join(posix.dirname(manifest), LOCK)
  mustBeInside('manifest', manifest, app)
  mustBeInside('lock', lock, app)
  if (lock === manifest) {
    throw new WaybillError('usage', `${lock} is named as the manifest and as its lock`, {
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

/** Whether anything stands at a path from the root. */
export function isThere(path: string, { root }: App): boolean {
  return lookAt(resolve(root, path), path) !== undefined
}

function nearestManifest({ root, cwd }: App): string | undefined {
  const files = openFiles(root)
  const here = relative(root, cwd).split(sep).join('/')
  for (let folder = here === '' ? '.' : here; ; folder = posix.dirname(folder)) {
    // Whoever works beside a repository means what stands at its root.
    const path = posix.join(folder.startsWith('..') ? '.' : folder, MANIFEST)
    if (files.kindOf(path) === 'file') return path
    if (folder === '.' || folder.startsWith('..')) return undefined
  }
}

function mustBeInside(what: string, path: string, { root }: App): void {
  const kind = openFiles(root).kindOf(path)
  if (kind === 'outside') {
    throw new WaybillError('usage', `the ${what} ${path} lies outside the repository`, {
      hint: 'name a file in it, or the repository with --root',
    })
  }
  if (kind !== 'directory') return
  throw new WaybillError('usage', `the ${what} ${path} is a folder`, {
    hint: 'name the file in it',
  })
}
