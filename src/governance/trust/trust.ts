import { quote } from '../../contract/index.ts'
import { parseInstant } from '../../document/index.ts'
import { type Config, type ConfigFault, configurationError } from '../../workspace/index.ts'
import { HOLDER_KINDS, type Holder, type HolderKind, holderText, whyNoName } from './holder.ts'
import { type PublicKey, readPublicKey } from './public-key.ts'

/** One trusted key: its holder and when it is valid. */
export interface TrustedKey {
  readonly holder: Holder
  readonly keyid: string
  readonly publicKey: PublicKey
  /** Milliseconds since the epoch, as `until` and `revoked`. */
  readonly from: number
  readonly until?: number
  readonly revoked?: number
  /** Its index in the list in `waybill.yaml`. */
  readonly entry: number
}

/** The keys that the committed configuration trusts. */
export interface Trust {
  /** In configuration order. */
  readonly keys: readonly TrustedKey[]
  byId(keyid: string): TrustedKey | undefined
  of(kind: HolderKind, name: string): readonly TrustedKey[]
}

/** Whether a signature by a key at a time is valid. */
export type KeyStatus = 'valid' | 'not-yet' | 'expired' | 'revoked'

/** Returns whether a signature by a key at a time is valid; signatures before revocation stay valid. */
export function standing({ from, until, revoked }: Times, at: number): KeyStatus {
  if (revoked !== undefined && at >= revoked) return 'revoked'
  if (at < from) return 'not-yet'
  return until !== undefined && at >= until ? 'expired' : 'valid'
}

/** Whether a configuration lists a key for a person, and it was valid at a time. */
export function listsPerson(
  config: Config,
  { by, keyid, at }: { readonly by: string; readonly keyid: string; readonly at: number },
): boolean {
  const key = readTrust(config).byId(keyid)
  return key?.holder.kind === 'person' && key.holder.name === by && standing(key, at) === 'valid'
}

type Entry = NonNullable<Config['trust']>[number]

const known = new WeakMap<Config, Trust>()

/**
 * Reads the keys that a configuration trusts; cached per configuration.
 *
 * @throws {WaybillError} 'configuration' with the place of every invalid entry; none is skipped.
 */
export function readTrust(config: Config): Trust {
  const before = known.get(config)
  if (before) return before
  const faults: ConfigFault[] = []
  const keys = (config.trust ?? []).flatMap((entry, index) => readEntry(entry, index, faults))
  const byId = indexById(keys, faults)
  const byHolder = new Map<string, TrustedKey[]>()
  for (const key of keys) {
    const own = byHolder.get(holderText(key.holder))
    if (own) own.push(key)
    else byHolder.set(holderText(key.holder), [key])
  }
  for (const own of byHolder.values()) faults.push(...overlaps(own))
  for (const [index, name] of (config.unsigned ?? []).entries()) {
    const why = whyNoName(name)
    if (why) faults.push({ path: ['unsigned', index], message: why, hint: ASCII })
  }
  if (faults.length > 0) throw configurationError(config, faults)
  const trust: Trust = {
    keys,
    byId: keyid => byId.get(keyid),
    of: (kind, name) => byHolder.get(holderText({ kind, name })) ?? [],
  }
  known.set(config, trust)
  return trust
}

const ASCII = 'write the name with visible ASCII characters only'

function readEntry(entry: Entry, index: number, faults: ConfigFault[]): readonly TrustedKey[] {
  const path = ['trust', index] as const
  const before = faults.length
  const holder = readHolder(entry, index, faults)
  if (!holder) return []
  const key = readPublicKey(holder.kind, entry.key)
  if ('fault' in key) {
    faults.push({ path: [...path, 'key'], message: key.fault, hint: key.hint })
    return []
  }
  if (key.note && key.note.name !== holder.name) {
    const message = `the key belongs to ${quote(key.note.name)}, not to ${quote(holder.name)}`
    faults.push({ path: [...path, 'key'], message, hint: 'use the log name from the key' })
  }
  const times = readTimes(entry, index, faults)
  if (!times || faults.length > before) return []
  return [{ holder, keyid: key.keyid, publicKey: key, ...times, entry: index }]
}

function readHolder(entry: Entry, index: number, faults: ConfigFault[]): Holder | undefined {
  const kinds = HOLDER_KINDS.filter(kind => entry[kind] !== undefined)
  const [kind] = kinds
  if (!kind || kinds.length > 1) {
    const message = kind ? `it names ${kinds.join(' and ')}` : 'it names no holder'
    const hint = 'name one of agent, gateway, log and person'
    faults.push({ path: ['trust', index], message, hint })
    return undefined
  }
  const name = entry[kind] ?? ''
  const why = whyNoName(name)
  if (!why) return { kind, name }
  faults.push({ path: ['trust', index, kind], message: why, hint: ASCII })
  return undefined
}

/** When a key is valid. */
export type Times = Pick<TrustedKey, 'from' | 'until' | 'revoked'>

function readTimes(entry: Entry, index: number, faults: ConfigFault[]): Times | undefined {
  const from = parseInstant(entry.from)
  const until = entry.until === undefined ? undefined : parseInstant(entry.until)
  const revoked = entry.revoked === undefined ? undefined : parseInstant(entry.revoked)
  // The schema has checked the format of all three.
  if (from === undefined) return undefined
  for (const [key, time] of Object.entries({ until, revoked })) {
    if (time === undefined || time >= from) continue
    const message = `${quote(key)} is before 'from'`
    const hint = `a key cannot end before it starts, at ${entry.from}`
    faults.push({ path: ['trust', index, key], message, hint })
  }
  return { from, ...(until !== undefined && { until }), ...(revoked !== undefined && { revoked }) }
}

function indexById(
  keys: readonly TrustedKey[],
  faults: ConfigFault[],
): ReadonlyMap<string, TrustedKey> {
  const byId = new Map<string, TrustedKey>()
  for (const key of keys) {
    const other = byId.get(key.keyid)
    if (other) {
      const message = `the key is already listed, for ${holderText(other.holder)}`
      const hint = 'use a separate key for each holder, and list it once'
      faults.push({ path: ['trust', key.entry, 'key'], message, hint })
    } else byId.set(key.keyid, key)
  }
  return byId
}

/** A gateway or a log has one valid key at a time: a second one might belong to someone else. */
function* overlaps(own: readonly TrustedKey[]): Generator<ConfigFault> {
  const [first] = own
  if (!first || first.holder.kind === 'agent' || first.holder.kind === 'person') return
  const ordered = own.toSorted((a, b) => a.from - b.from || endOf(a) - endOf(b))
  let before: TrustedKey | undefined
  for (const key of ordered) {
    if (before && key.from < endOf(before) && key.from < endOf(key)) {
      yield {
        path: ['trust', key.entry],
        message: `two keys of ${holderText(key.holder)} are valid at the same time`,
        hint: `give the older one, entry ${before.entry + 1}, an 'until' no later than the 'from' of this one`,
      }
    }
    if (!before || endOf(key) > endOf(before)) before = key
  }
}

/** When a key stops being valid. */
function endOf({ until, revoked }: TrustedKey): number {
  return Math.min(until ?? Number.POSITIVE_INFINITY, revoked ?? Number.POSITIVE_INFINITY)
}
