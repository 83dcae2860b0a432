import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { WaybillError } from '../../error.ts'
import { type Binaries, makeLinks } from './bundled.ts'

/** Files for building other programs. */
const UNNEEDED = /\/native\/include(\/|$)|\/pkgconfig(\/|$)|\.a$/

/** The age of an unfinished copy that is surely abandoned, in milliseconds. */
const ABANDONED = 3_600_000

/** Places for shared copies, owned by root so that only root can put programs there. */
export const SHARED = ['/var/cache/waybill', '/var/tmp/waybill'] as const

/** Returns the programs of an existing copy. */
export function copyIn(base: string, { whole }: Binaries): Binaries | undefined {
  if (!whole) return undefined
  const folder = join(base, whole.name)
  return isOwn(base) && isOwn(folder) ? copied(folder) : undefined
}

/** Copies the programs to where all users can read them, with library links. If copies race, one stays. */
export function copyTo(base: string, { whole }: Binaries): Binaries | undefined {
  if (!whole) return undefined
  mkdirSync(base, { recursive: true })
  // Write access here means choosing which programs run.
  if (!isOwn(base))
    throw new WaybillError(
      'conflict',
      `${base} belongs to another user, or other users can write to it`,
    )
  chmodSync(base, 0o755)
  removeAbandoned(base)
  const folder = join(base, whole.name)
  const fresh = join(base, `.new-${process.pid}-${process.hrtime.bigint()}`)
  try {
    cpSync(whole.folder, fresh, {
      recursive: true,
      verbatimSymlinks: true,
      filter: source => !UNNEEDED.test(source),
    })
    makeLinks(fresh)
    openToAll(fresh)
    renameSync(fresh, folder)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // Another process finished first.
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
  return copied(folder)
}

/** Removes a copy that does not run. */
export function discardCopy(base: string, { whole }: Binaries): void {
  if (whole) rmSync(join(base, whole.name), { recursive: true, force: true })
}

function copied(folder: string): Binaries {
  return { origin: 'bundled', bin: join(folder, 'bin') }
}

/** Whether a folder belongs to this user and only this user can write to it. */
function isOwn(folder: string): boolean {
  const stats = lstatSync(folder, { throwIfNoEntry: false })
  return (
    stats?.isDirectory() === true && stats.uid === process.getuid?.() && (stats.mode & 0o022) === 0
  )
}

/** Makes files readable for all: packages may be unpacked for one user only. */
function openToAll(folder: string): void {
  chmodSync(folder, 0o755)
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) openToAll(path)
    else if (entry.isFile()) chmodSync(path, (statSync(path).mode & 0o100) === 0 ? 0o644 : 0o755)
  }
}

function removeAbandoned(base: string): void {
  for (const name of readdirSync(base)) {
    if (!name.startsWith('.new-')) continue
    const stats = statSync(join(base, name), { throwIfNoEntry: false })
    if (stats && Date.now() - stats.mtimeMs > ABANDONED)
      rmSync(join(base, name), { recursive: true, force: true })
  }
}
