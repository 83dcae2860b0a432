import { lstatSync, mkdirSync } from 'node:fs'
import { join, posix } from 'node:path'
import type { Kind } from '../../contract/index.ts'
import { whyReserved } from '../../contracts/index.ts'
import { WaybillError } from '../../error.ts'
import {
  createAtomically,
  lookAt,
  openFiles,
  pathFromRoot,
  refused,
} from '../../workspace/index.ts'
import type { App } from '../operation.ts'

/** How many numbered names are tried. */
const MOST_TRIES = 99

/** Returns a path from the root; throws 'usage' when it leaves the root or is reserved. */
export function pathWithin(file: string, app: App): string {
  const path = pathFromRoot(file, app)
  if (openFiles(app.root).kindOf(path) === 'outside') {
    throw new WaybillError('usage', `${file} is outside the repository`, {
      hint: 'name a file below its root',
    })
  }
  const why = whyReserved(path)
  if (why !== undefined) {
    throw new WaybillError('usage', `${file} ${why}`, { hint: 'name a file in another folder' })
  }
  return path
}

/** Returns the draft name of a path: `a.draft.md` for `a.md`. */
export function draftPath(path: string): string {
  const { dir, name, ext } = posix.parse(path)
  return posix.join(dir, name.endsWith('.draft') ? `${name}${ext}` : `${name}.draft${ext}`)
}

/** Returns the final name of a draft. */
export function withoutDraft(path: string): string {
  return path.replace(/\.draft(\.[a-z]+)$/i, '$1')
}

/** Returns a free path, adding a number unless the name is fixed. */
export function freePath(path: string, isFixed: boolean, { root }: App): string {
  for (let number = 1; number <= (isFixed ? 1 : MOST_TRIES); number++) {
    const name = number === 1 ? path : numbered(path, number)
    if (!lookAt(join(root, name), name)) return name
  }
  throw taken(path)
}

/** Writes a new file and its folders; returns its final path. Never overwrites a file. */
export function writeNew(path: string, text: string, isFixed: boolean, app: App): string {
  makeFolders(posix.dirname(path), app.root)
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const name = freePath(path, isFixed, app)
    // Another process may create the file at the same moment.
    if (createAtomically(join(app.root, name), text)) return name
  }
  throw taken(path)
}

function taken(path: string): WaybillError {
  return new WaybillError('exists', `${path} exists already and was not overwritten`, {
    hint: 'name another file, or move it away',
  })
}

function numbered(path: string, number: number): string {
  const { dir, base } = posix.parse(path)
  const [, name = base, ending = ''] = /^(.*?)((?:\.draft)?\.[a-z]+)$/i.exec(base) ?? []
  return posix.join(dir, `${name}-${number}${ending}`)
}

/** Creates the folders of a path one by one; refuses links that leave the repository. */
export function makeFolders(folder: string, root: string): void {
  const names = folder.split('/').filter(name => name !== '' && name !== '.')
  for (const [i] of names.entries()) {
    const path = names.slice(0, i + 1).join('/')
    const kind = kindThere(path, root)
    if (kind === 'directory') continue
    if (kind !== 'missing') {
      const what = kind === 'outside' ? 'a link that leaves the repository' : 'not a folder'
      throw new WaybillError('exists', `${path} is ${what}`, { hint: 'move it away' })
    }
    try {
      mkdirSync(join(root, path))
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException
      // Another process may have created it.
      if (code === 'EEXIST') continue
      throw refused(`${path} cannot be created`, cause)
    }
  }
}

/** Returns the kind of a path; `else` for broken links, pipes and paths that cannot be read. */
export function kindThere(path: string, root: string): Kind | 'else' {
  const kind = openFiles(root).kindOf(path)
  if (kind !== 'missing') return kind
  try {
    return lstatSync(join(root, path), { throwIfNoEntry: false }) ? 'else' : 'missing'
  } catch {
    // For example a name that is too long, circular links, or no permission.
    return 'else'
  }
}
