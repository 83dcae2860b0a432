import { formatInstant } from '../../document/index.ts'
import { WaybillError } from '../../error.ts'
import { type Holder, holderText, whyNoName } from '../trust/holder.ts'
import { standing, type Trust } from '../trust/trust.ts'
import type { TrustFile } from '../trust/trust-file.ts'
import type { KeyChange } from './change.ts'
import { keepOrigin, removeKeyFile } from './key-files.ts'
import { makeKey, type NewKey } from './new-key.ts'
import type { Keys } from './open-keys.ts'

/** The holders that need keys, by where their keys are. */
export interface FirstKeys {
  /** Holders without a valid key, which need a new one. */
  readonly missing: readonly Holder[]
  /** Holders with a valid key whose private half is in another clone. */
  readonly elsewhere: readonly Holder[]
  /** Holders whose key is here. */
  readonly here: readonly Holder[]
  /** Agents whose key was revoked: a person must decide to give them a new one. */
  readonly revoked: readonly Holder[]
}

/** The prefix of a log's origin, before a random UUID. */
const ORIGIN = 'urn:waybill:log:'

/**
 * Plans the first keys of the gateway, the log and each agent.
 *
 * @throws {WaybillError} 'configuration' when an agent's name cannot hold a key.
 */
export function planKeys(
  { trust }: TrustFile,
  keys: Keys,
  agents: readonly string[],
  at: number,
): FirstKeys {
  for (const name of agents) {
    const why = whyNoName(name)
    if (why) {
      throw new WaybillError('configuration', `cannot create a key for an agent: ${why}`, {
        hint: 'give it a canonical id of visible ASCII characters in the manifest',
      })
    }
  }
  const origin = originOf(keys)
  const all: readonly Holder[] = [
    { kind: 'gateway', name: origin },
    { kind: 'log', name: origin },
    ...[...new Set(agents)].map(name => ({ kind: 'agent', name }) as const),
  ]
  const plan: Record<keyof FirstKeys, Holder[]> = {
    missing: [],
    elsewhere: [],
    here: [],
    revoked: [],
  }
  for (const holder of all) plan[placeOf(holder, trust, keys, at)].push(holder)
  return plan
}

function placeOf(holder: Holder, trust: Trust, keys: Keys, at: number): keyof FirstKeys {
  const listed = trust.of(holder.kind, holder.name)
  const live = listed.filter(key => isLive(key, at))
  if (live.some(({ keyid }) => keys.holds(keyid))) return 'here'
  if (live.length > 0) return 'elsewhere'
  const isRevoked = holder.kind === 'agent' && listed.some(key => key.revoked !== undefined)
  return isRevoked ? 'revoked' : 'missing'
}

/** Whether a key is valid now or later. */
const isLive = (key: Trust['keys'][number], at: number) =>
  ['valid', 'not-yet'].includes(standing(key, at))

/** Clones share the trust list, but each has its own log: two clones appending to one log would fork it. */
function originOf({ origin }: Keys): string {
  return origin ?? `${ORIGIN}${process.getBuiltinModule('node:crypto').randomUUID()}`
}

/**
 * Creates the missing keys and lists them; on failure, removes all of them.
 *
 * @throws {WaybillError} 'conflict' when another process is creating the key of the log.
 */
export async function makeFirstKeys(
  root: string,
  file: TrustFile,
  missing: readonly Holder[],
  at: number,
): Promise<readonly KeyChange[]> {
  const from = formatInstant(at)
  const log = missing.find(({ kind }) => kind === 'log')
  if (log && keepOrigin(root, log.name) !== log.name) {
    throw new WaybillError('conflict', 'another process is creating the key of the log', {
      hint: 'nothing was written; run this again',
    })
  }
  const made: NewKey[] = []
  try {
    for (const holder of missing) made.push(makeKey(root, holder, from))
    await file.write({ added: made.map(({ entry }) => entry) })
  } catch (error) {
    for (const key of made) removeKeyFile(key.file)
    throw error
  }
  return made.map(({ holder, keyid }) => ({ change: 'created', holder, keyid, at: from }))
}

/** Lists holders for a sentence: `the gateway, the log and 3 agents`. */
export function holdersText(holders: readonly Holder[]): string {
  const agents = holders.filter(({ kind }) => kind === 'agent')
  const one = agents[0]
  const others = holders.filter(({ kind }) => kind !== 'agent').map(({ kind }) => `the ${kind}`)
  const last = agents.length === 1 && one ? [holderText(one)] : [`${agents.length} agents`]
  const parts = agents.length > 0 ? [...others, ...last] : others
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}
