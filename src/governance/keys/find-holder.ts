import { listed, nearest, quote } from '../../contract/index.ts'
import { WaybillError } from '../../error.ts'
import { HOLDER_KINDS, type Holder, holderText } from '../trust/holder.ts'
import type { Trust, TrustedKey } from '../trust/trust.ts'

/** The fewest digits of a key id that are accepted. */
const FEWEST_DIGITS = 8

/**
 * Finds a holder by user input: `gateway` or `log` of this repository, `<kind>:<name>`, or a unique name.
 *
 * @throws {WaybillError} 'usage' when the name is ambiguous; 'not-found' when no key is listed for it.
 */
export function findHolder(trust: Trust, origin: string | undefined, who: string): Holder {
  const holders = new Map(trust.keys.map(({ holder }) => [holderText(holder), holder]))
  const all = [...holders.values()]
  const [kind = '', ...rest] = who.split(':')
  const exact = holders.get(`${kind} ${rest.join(':')}`)
  if (exact) return exact
  const own = who === 'gateway' || who === 'log' ? ownOf(all, who, origin) : []
  const named = all.filter(({ name }) => name === who)
  const found = own.length > 0 ? own : named
  const [first] = found
  if (first && found.length === 1) return first
  if (first) {
    throw new WaybillError(
      'usage',
      `${quote(who)} is ambiguous: ${listed(found.map(holderText), 'or')}`,
      {
        hint: `write ${found.map(({ kind, name }) => `${kind}:${name}`).join(' or ')}`,
      },
    )
  }
  const meant = nearest(
    who,
    all.map(({ name }) => name),
  )
  throw new WaybillError('not-found', `no key is listed for ${quote(who)}`, {
    hint: meant
      ? `did you mean ${meant}?`
      : `see waybill key list; name a holder as ${HOLDER_KINDS.map(k => `${k}:<name>`).join(', ')}; waybill init creates keys for agents of the manifest`,
  })
}

function ownOf(all: readonly Holder[], kind: string, origin: string | undefined): Holder[] {
  const same = all.filter(holder => holder.kind === kind)
  const own = same.filter(({ name }) => name === origin)
  return own.length > 0 ? own : same
}

/**
 * Finds keys by user input: one by a prefix of its id, or all keys of a holder.
 *
 * @throws {WaybillError} 'usage' when the input is ambiguous; 'not-found' when no key is listed for it.
 */
export function findKeys(
  trust: Trust,
  origin: string | undefined,
  who: string,
): readonly TrustedKey[] {
  if (/^[0-9a-f]+$/.test(who) && who.length >= FEWEST_DIGITS) {
    const found = trust.keys.filter(({ keyid }) => keyid.startsWith(who))
    if (found.length === 1) return found
    if (found.length > 1) {
      throw new WaybillError('usage', `${found.length} key ids begin with ${who}`, {
        hint: 'give more digits of the id',
      })
    }
  }
  const { kind, name } = findHolder(trust, origin, who)
  return trust.of(kind, name)
}
