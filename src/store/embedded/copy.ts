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

/** What is there to build other programs. */
const UNNEEDED = /\/native\/include(\/|$)|\/pkgconfig(\/|$)|\.a$/

/** How old what somebody began to copy is when he has surely been ended, in milliseconds. */
const ABANDONED = 3_600_000

/** Where copies may stand that others can read: root's, since nobody else may put programs there. */
export const SHARED = ['/var/cache/waybill', '/var/tmp/waybill'] as const

/** The programs in a copy that is there already. */
export function copyIn(base: string, { whole }: Binaries): Binaries | undefined {
  if (!whole) return undefined
  const folder = join(base, whole.name)
  return isOwn(base) && isOwn(folder) ? copied(folder) : undefined
}

/** Copies the programs to where everybody can read them and the libraries have their links; of several one stays. */
export function copyTo(base: string, { whole }: Binaries): Binaries | undefined {
  if (!whole) return undefined
  mkdirSync(base, { recursive: true })
  // Whoever could write here would choose which programs are run.
  if (!isOwn(base)) throw new WaybillError('conflict', `${base} belongs to somebody else`)
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
    // Somebody was faster.
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
  return copied(folder)
}

/** Takes a copy away that does not run. */
export function discardCopy(base: string, { whole }: Binaries): void {
  if (whole) rmSync(join(base, whole.name), { recursive: true, force: true })
}

function copied(folder: string): Binaries {
  return { origin: 'bundled', bin: join(folder, 'bin') }
}

/** Whether a folder is this user's, and nobody else may write to it. */
function isOwn(folder: string): boolean {
  const stats = lstatSync(folder, { throwIfNoEntry: false })
  return (
    stats?.isDirectory() === true && stats.uid === process.getuid?.() && (stats.mode & 0o022) === 0
  )
}

/** Packages may have been unpacked for one user alone. */
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
