import { quote } from '../../contract/index.ts'
import { parseInstant } from '../../document/index.ts'
import { type Config, type ConfigFault, configurationError } from '../../workspace/index.ts'
import { HOLDER_KINDS, type Holder, type HolderKind, holderText, whyNoName } from './holder.ts'
import { type PublicKey, readPublicKey } from './public-key.ts'

/** One key that counts, whose it is, and when. */
export interface TrustedKey {
  readonly holder: Holder
  readonly keyid: string
  readonly publicKey: PublicKey
  /** Milliseconds since 1970, as `until` and `revoked`. */
  readonly from: number
  readonly until?: number
  readonly revoked?: number
  /** Where it stands in the list of `waybill.yaml`. */
  readonly entry: number
}

/** The keys that the committed configuration trusts. */
export interface Trust {
  /** In the order of the configuration. */
  readonly keys: readonly TrustedKey[]
  byId(keyid: string): TrustedKey | undefined
  of(kind: HolderKind, name: string): readonly TrustedKey[]
}

/** Whether what a key signs at a time counts. */
export type KeyStatus = 'valid' | 'not-yet' | 'expired' | 'revoked'

/** Tells whether what a key signs at a time counts; what it signed before it was revoked still does. */
export function standing({ from, until, revoked }: Times, at: number): KeyStatus {
  if (revoked !== undefined && at >= revoked) return 'revoked'
  if (at < from) return 'not-yet'
  return until !== undefined && at >= until ? 'expired' : 'valid'
}

/** Whether a configuration lists a key as that of a person, and it counted at a time. */
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
 * Reads the keys that a configuration trusts; once per configuration.
 *
 * @throws WaybillError `configuration` with the place of every fault: no entry is ever passed over.
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
    const message = `the key is that of ${quote(key.note.name)}, not of ${quote(holder.name)}`
    faults.push({ path: [...path, 'key'], message, hint: 'name the log as its key does' })
  }
  const times = readTimes(entry, index, faults)
  if (!times || faults.length > before) return []
  return [{ holder, keyid: key.keyid, publicKey: key, ...times, entry: index }]
}

function readHolder(entry: Entry, index: number, faults: ConfigFault[]): Holder | undefined {
  const kinds = HOLDER_KINDS.filter(kind => entry[kind] !== undefined)
  const [kind] = kinds
  if (!kind || kinds.length > 1) {
    const message = kind ? `it names ${kinds.join(' and ')}` : 'it names nobody'
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

/** From when until when a key counts. */
export type Times = Pick<TrustedKey, 'from' | 'until' | 'revoked'>

function readTimes(entry: Entry, index: number, faults: ConfigFault[]): Times | undefined {
  const from = parseInstant(entry.from)
  const until = entry.until === undefined ? undefined : parseInstant(entry.until)
  const revoked = entry.revoked === undefined ? undefined : parseInstant(entry.revoked)
  // The schema has seen to the form of all three.
  if (from === undefined) return undefined
  for (const [key, time] of Object.entries({ until, revoked })) {
    if (time === undefined || time >= from) continue
    const message = `${quote(key)} is before 'from'`
    const hint = `a key cannot end to count before it begins, at ${entry.from}`
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
      const message = `the key is listed already, for ${holderText(other.holder)}`
      const hint = 'give everybody a key of their own, and list it once'
      faults.push({ path: ['trust', key.entry, 'key'], message, hint })
    } else byId.set(key.keyid, key)
  }
  return byId
}

/** A gateway or a log speaks with one voice: of two keys that count at once, one would be somebody else's. */
function* overlaps(own: readonly TrustedKey[]): Generator<ConfigFault> {
  const [first] = own
  if (!first || first.holder.kind === 'agent' || first.holder.kind === 'person') return
  const ordered = own.toSorted((a, b) => a.from - b.from || endOf(a) - endOf(b))
  let before: TrustedKey | undefined
  for (const key of ordered) {
    if (before && key.from < endOf(before) && key.from < endOf(key)) {
      yield {
        path: ['trust', key.entry],
        message: `two keys of ${holderText(key.holder)} count at the same time`,
        hint: `give the older one, entry ${before.entry + 1}, an 'until' that is not after the 'from' of this one`,
      }
    }
    if (!before || endOf(key) > endOf(before)) before = key
  }
}

/** When a key ends to count. */
function endOf({ until, revoked }: TrustedKey): number {
  return Math.min(until ?? Number.POSITIVE_INFINITY, revoked ?? Number.POSITIVE_INFINITY)
}
