import { type Agent, isSameFile } from '../../contracts/index.ts'
import type { Json } from '../../document/index.ts'

/** The inputs of a lockfile. */
export interface LockBasis {
  /** The current lockfile; absent if there is none. */
  readonly old?: Json | undefined
  /** The agents of the manifest. */
  readonly agents: readonly Agent[]
  readonly manifest: { readonly path: string; readonly version: string }
  /** Lower-case hex SHA-256 of the bytes of an agent's prompt. */
  hashOf(agent: Agent): string
  /** ISO 8601. */
  readonly now: string
  /** Canonical ids of the agents whose entries may change; all when absent. */
  readonly only?: ReadonlySet<string>
}

type Fields = Readonly<Record<string, Json>>

/** The format version that is written. */
export const LOCKFILE_VERSION = 1

/** The key order of a new lockfile; an existing one keeps its own. */
const ROOT_KEYS = 'version lockfileVersion generated algorithm prompts integrity'.split(' ')

/**
 * Returns the lockfile for a manifest and the current prompts.
 *
 * Entries are sorted by canonical id, so that the order of the manifest does not matter and adding an agent adds one
 * entry. Unknown keys are kept. The time changes only together with something else.
 */
export function nextLock(basis: LockBasis): Json {
  const old = fieldsOf(basis.old)
  const prompts = nextPrompts(basis, fieldsOf(old.prompts))
  const generated = old.generated ?? basis.now
  const known: Fields = {
    version: old.version ?? basis.manifest.version,
    lockfileVersion: old.lockfileVersion ?? LOCKFILE_VERSION,
    generated,
    algorithm: 'SHA-256',
    prompts,
    integrity: { ...fieldsOf(old.integrity), ...totalsOf(prompts) },
  }
  const next = merged(old, known, ROOT_KEYS)
  const isSame = basis.old !== undefined && JSON.stringify(next) === JSON.stringify(basis.old)
  return isSame ? next : merged(next, { generated: basis.now }, [])
}

function nextPrompts(basis: LockBasis, old: Fields): Fields {
  const { agents, only } = basis
  const isFixed = (id: string) => only !== undefined && !only.has(id)
  const entries = agents
    .filter(({ id }) => !isFixed(id))
    .map(agent => [agent.id, nextEntry(agent, fieldsOf(old[agent.id]), basis)] as const)
  const fixed = Object.entries(old).filter(([id]) => isFixed(id))
  return Object.fromEntries([...entries, ...fixed].sort(([a], [b]) => (a < b ? -1 : 1)))
}

function nextEntry(agent: Agent, old: Fields, { manifest, hashOf }: LockBasis): Json {
  const { type, version } = agent
  const isThere = typeof old.file === 'string' && isSameFile(manifest.path, old.file, agent.file)
  const file = isThere ? (old.file ?? agent.file) : agent.file
  return merged(old, { file, hash: hashOf(agent), type, version }, ENTRY_KEYS)
}

const ENTRY_KEYS = ['file', 'hash', 'type', 'version']

/** The prompt counts in `integrity`; orchestrators count in the total only. */
function totalsOf(prompts: Fields): {
  total_prompts: number
  domains: number
  archetypes: number
} {
  const types = Object.values(prompts).map(entry => fieldsOf(entry).type)
  const count = (wanted: string) => types.filter(type => type === wanted).length
  return {
    total_prompts: types.length,
    domains: count('domain'),
    archetypes: count('archetype'),
  }
}

/** Returns an object with some values set: existing keys keep their places, new ones follow in order. */
function merged(old: Fields, values: Fields, order: readonly string[]): Fields {
  const kept = Object.entries(old).map(
    ([key, value]) => [key, Object.hasOwn(values, key) ? (values[key] ?? null) : value] as const,
  )
  const added = order.filter(key => !Object.hasOwn(old, key))
  return Object.fromEntries([...kept, ...added.map(key => [key, values[key] ?? null] as const)])
}

/** The members of an object; none for other values. */
export function fieldsOf(value: Json | undefined): Fields {
  const isFields = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isFields ? (value as Fields) : {}
}
