import { formatInstant } from '../../document/index.ts'
import { WaybillError } from '../../error.ts'
import { CONFIG_FILE } from '../../workspace/index.ts'
import { type Holder, holderText } from '../trust/holder.ts'
import { standing, type TrustedKey } from '../trust/trust.ts'
import { openTrustFile } from '../trust/trust-file.ts'
import { findHolder, findKeys } from './find-holder.ts'
import { removeKeyFile } from './key-files.ts'
import { makeKey } from './new-key.ts'
import { openKeys } from './open-keys.ts'

/** The creation, rotation or revocation of a key. */
export interface KeyChange {
  readonly change: 'created' | 'rotated' | 'revoked'
  readonly holder: Holder
  /** The new or revoked key. */
  readonly keyid: string
  /** ISO 8601. */
  readonly at: string
  /** The keys that this one replaces, which expire. */
  readonly replaced?: readonly string[]
  readonly why?: string
}

/** A listed rotation of a key. */
export interface Rotation {
  readonly change: KeyChange
  /** Undoes the rotation, before others use the new key. */
  undo(): void
}

/**
 * Gives a holder a new key; the old one no longer signs, but still verifies its earlier signatures.
 *
 * A log and its gateway can be rotated only where their keys are: elsewhere a second log of that origin would begin.
 *
 * @param begins Returns the time from which the new key is valid, in milliseconds since the epoch; called after its
 * file exists, which stops other processes from signing with the old key.
 * @throws {WaybillError} 'usage' for the key of a person; 'not-found' when the key of the gateway or log is not here.
 */
export async function rotateKey(
  root: string,
  who: string,
  at: number,
  begins: () => number = () => at,
): Promise<Rotation> {
  const file = await openTrustFile(root)
  const keys = openKeys(root, file.trust)
  const holder = findHolder(file.trust, keys.origin, who)
  refusePerson(holder)
  const now = file.trust.of(holder.kind, holder.name).filter(key => standing(key, at) === 'valid')
  if (holder.kind !== 'agent' && !now.some(({ keyid }) => keys.holds(keyid))) {
    throw new WaybillError('not-found', `the key of ${holderText(holder)} is not here`, {
      hint: 'rotate it in the clone that holds it; if it is lost, revoke the gateway and log keys and run waybill init',
    })
  }
  const made = makeKey(root, holder, formatInstant(at))
  let from: string
  let putBack: () => void
  try {
    from = formatInstant(begins())
    const ended = now.map(({ entry }) => ({ entry, key: 'until', at: from }) as const)
    putBack = await file.write({ ended, added: [{ ...made.entry, from }] })
  } catch (error) {
    removeKeyFile(made.file)
    throw error
  }
  const replaced = now.map(({ keyid }) => keyid)
  return {
    change: { change: 'rotated', holder, keyid: made.keyid, at: from, replaced },
    undo: () => {
      // A listed key needs its private half, so unlist it first.
      putBack()
      removeKeyFile(made.file)
    },
  }
}

function refusePerson({ kind, name }: Holder): void {
  if (kind !== 'person') return
  throw new WaybillError('usage', `${name} is a person: people create their own keys`, {
    hint: `put the new public key and an 'until' for the old one under trust in ${CONFIG_FILE}`,
  })
}

/** A planned revocation of keys. */
export interface Revocation {
  readonly changes: readonly KeyChange[]
  /** Whether it revokes the keys of this log or its gateway, so that the log cannot record it afterwards. */
  readonly isOwn: boolean
  /** Revokes the keys from a time on, in milliseconds since the epoch, and deletes the private halves kept here. */
  carryOut(at: number): Promise<readonly KeyChange[]>
}

/**
 * Plans the revocation of one key, or all keys of a holder.
 *
 * @throws {WaybillError} 'usage' when there is no reason, or nothing to revoke.
 */
export async function planRevocation(
  root: string,
  who: string,
  why: string,
  at: number,
): Promise<Revocation> {
  const file = await openTrustFile(root)
  const keys = openKeys(root, file.trust)
  const found = findKeys(file.trust, keys.origin, who)
  if (why.trim() === '') {
    throw new WaybillError('usage', 'revoking a key needs a reason', {
      hint: 'give it with --why "…"; it is kept in the log',
    })
  }
  const open = found.filter(key => isOpen(key, at, found.length === 1))
  if (open.length === 0) {
    throw new WaybillError('usage', `nothing to revoke: ${stateOf(found, at)}`, {
      hint: 'see waybill key list',
    })
  }
  const changesAt = (time: number) =>
    open.map(({ holder, keyid }): KeyChange => {
      return { change: 'revoked', holder, keyid, at: formatInstant(time), why }
    })
  return {
    changes: changesAt(at),
    isOwn: open.some(({ holder: { kind, name } }) => OWN.has(kind) && name === keys.origin),
    carryOut: async time => {
      // A key that is not valid yet never becomes valid.
      const ended = open.map(({ entry, from }) => {
        return { entry, key: 'revoked', at: formatInstant(Math.max(from, time)) } as const
      })
      await file.write({ ended })
      for (const { keyid } of open) {
        const kept = keys.files.get(keyid)
        if (kept !== undefined) removeKeyFile(kept)
      }
      return changesAt(time)
    },
  }
}

const OWN: ReadonlySet<Holder['kind']> = new Set(['gateway', 'log'])

/** An expired key is revoked only if it is the only match. */
function isOpen(key: TrustedKey, at: number, alone: boolean): boolean {
  if (key.revoked !== undefined) return false
  return alone || standing(key, at) !== 'expired'
}

function stateOf(keys: readonly TrustedKey[], at: number): string {
  const states = new Set(keys.map(key => standing(key, at)))
  return states.has('expired') ? 'the key has expired' : 'it is revoked already'
}
