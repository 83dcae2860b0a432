import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

const HOME = join(import.meta.dirname, '..')

/** A copy of the built program, which is not rebuilt while it is used. */
export interface Program {
  readonly folder: string
  readonly file: string
  /** Deletes all of it and puts it there again, as a new installation does. */
  reinstall(): void
  remove(): void
}

/** Builds the program if a source is newer than the last build, and copies it. */
export function installProgram(): Program {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-program-'))
  chmodSync(folder, 0o755)
  // Optional parts are found from where the program stands.
  symlinkSync(join(HOME, 'node_modules'), join(folder, 'node_modules'))
  const dist = join(folder, 'dist')
  const install = () => {
    rmSync(dist, { recursive: true, force: true })
    cpSync(join(HOME, 'dist'), dist, { recursive: true, filter: from => !isCache(from) })
  }
  const remove = () => rmSync(folder, { recursive: true, force: true })
  try {
    again(() => {
      execFileSync(join(HOME, 'bin/waybill'), ['--version'], { stdio: 'pipe' })
      install()
    })
  } catch (error) {
    remove()
    throw error
  }
  return { folder, file: join(dist, 'waybill.cjs'), reinstall: () => again(install), remove }
}

const isCache = (path: string) => basename(path) === '.compiled'

/** A concurrent build swaps the folder that is being copied. */
function again(work: () => void): void {
  for (let tries = 3; ; tries--) {
    try {
      work()
      return
    } catch (error) {
      if (tries === 1) throw error
    }
  }
}
