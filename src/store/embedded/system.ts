import { execFileSync } from 'node:child_process'
import { existsSync, globSync, realpathSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import type { Binaries } from './bundled.ts'

/** Where the packages of systems put the programs of a server, which are mostly not on the path. */
const PLACES = [
  '/usr/lib/postgresql/*/bin',
  '/usr/pgsql-*/bin',
  '/usr/libexec/postgresql*',
  '/opt/homebrew/opt/postgresql*/bin',
  '/usr/local/opt/postgresql*/bin',
  '/Applications/Postgres.app/Contents/Versions/*/bin',
]

/** The PostgreSQL servers that are installed on this system, the newest first as far as the names of folders tell. */
export function findOnSystem(path: string): readonly Binaries[] {
  const known = PLACES.flatMap(place => globSync(place)).sort((a, b) =>
    b.localeCompare(a, 'en', { numeric: true }),
  )
  const folders = [...known, ...askConfig(path), ...path.split(delimiter).filter(isAbsolute)]
  const real = folders.filter(isServer).map(folder => realpathSync(folder))
  return [...new Set(real)].map(bin => ({ origin: 'system', bin }))
}

const isServer = (bin: string) => ['initdb', 'postgres'].every(name => existsSync(join(bin, name)))

/** PostgreSQL's own word on where its programs are. */
function askConfig(path: string): readonly string[] {
  try {
    const options = { encoding: 'utf8', env: { PATH: path }, stdio: 'pipe' } as const
    return [execFileSync('pg_config', ['--bindir'], options).trim()]
  } catch {
    return []
  }
}
