import { execFileSync } from 'node:child_process'
import { existsSync, globSync, realpathSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import type { Binaries } from './bundled.ts'

/** Where packages install server programs, mostly outside of the path. */
const PLACES = [
  '/usr/lib/postgresql/*/bin',
  '/usr/pgsql-*/bin',
  '/usr/libexec/postgresql*',
  '/opt/homebrew/opt/postgresql*/bin',
  '/usr/local/opt/postgresql*/bin',
  '/Applications/Postgres.app/Contents/Versions/*/bin',
]

/** Finds the PostgreSQL servers installed on this system, newest first by folder name. */
export function findOnSystem(path: string): readonly Binaries[] {
  const known = PLACES.flatMap(place => globSync(place)).sort((a, b) =>
    b.localeCompare(a, 'en', { numeric: true }),
  )
  const folders = [...known, ...askConfig(path), ...path.split(delimiter).filter(isAbsolute)]
  const real = folders.filter(isServer).map(folder => realpathSync(folder))
  return [...new Set(real)].map(bin => ({ origin: 'system', bin }))
}

const isServer = (bin: string) => ['initdb', 'postgres'].every(name => existsSync(join(bin, name)))

/** Asks pg_config for the program folder. */
function askConfig(path: string): readonly string[] {
  try {
    const options = { encoding: 'utf8', env: { PATH: path }, stdio: 'pipe' } as const
    return [execFileSync('pg_config', ['--bindir'], options).trim()]
  } catch {
    return []
  }
}
