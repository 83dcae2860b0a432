import { hasGo } from './interop/go.ts'
import { works } from './python.ts'

/** The programs of others that pages have readers run, and whether they are here. */
export const TOOLS: ReadonlyMap<string, boolean> = new Map([
  ['go', hasGo],
  ['openssl', works('openssl', 'version')],
  ['psql', works('psql', '--version')],
  ['python3', works('python3', '--version')],
  ['ssh-keygen', works('sh', '-c', 'command -v ssh-keygen')],
])
