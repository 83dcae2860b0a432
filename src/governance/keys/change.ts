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

/** What became of a key: for the ledger, and for people. */
export interface KeyChange {
  readonly change: 'created' | 'rotated' | 'revoked'
  readonly holder: Holder
  /** The key that is new, or that was revoked. */
  readonly keyid: string
  /** ISO 8601. */
  readonly at: string
  /** The keys that end to count, for this one succeeds them. */
  readonly replaced?: readonly string[]
  readonly why?: string
}

/** A key that has a successor, as it is listed. */
export interface Rotation {
  readonly change: KeyChange
  /** Takes it back while nobody has been told of it. */
  undo(): void
}

/**
 * Gives a holder a new key; the old one signs no more and still verifies what it signed.
 *
 * A log and its gateway go on only where their keys are: elsewhere a second log of the same origin would begin.
 *
 * @param begins From when on the new key counts; asked once its file is here, by which others know not to sign any more.
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
      hint: 'rotate it in the clone that holds it; if it is lost, revoke gateway and log and run waybill init',
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
      // As long as it is listed its private half has to be here.
      putBack()
      removeKeyFile(made.file)
    },
  }
}

function refusePerson({ kind, name }: Holder): void {
  if (kind !== 'person') return
  throw new WaybillError('usage', `${name} is a person: people make their own keys`, {
    hint: `put the new public key and an 'until' for the old one under trust in ${CONFIG_FILE}`,
  })
}

/** Keys that are to be revoked. */
export interface Revocation {
  readonly changes: readonly KeyChange[]
  /** Whether the log here cannot record it afterwards: the revoked keys are its own, or those of its gateway. */
  readonly isOwn: boolean
  /** From a time on nothing that they sign counts; private halves that are here are deleted. */
  carryOut(at: number): Promise<readonly KeyChange[]>
}

/** Finds the keys of a holder, or one key, that can be revoked; refuses where there are none, or no reason. */
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
    throw new WaybillError('usage', 'a key is revoked for a reason', {
      hint: 'say it: --why "…"; it is kept for those who ask later',
    })
  }
  const open = found.filter(key => isOpen(key, at, found.length === 1))
  if (open.length === 0) {
    throw new WaybillError('usage', `there is nothing to revoke: ${stateOf(found, at)}`, {
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
      // A key that was to count later never will.
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

/** An expired key is revoked only when it is meant by itself. */
function isOpen(key: TrustedKey, at: number, alone: boolean): boolean {
  if (key.revoked !== undefined) return false
  return alone || standing(key, at) !== 'expired'
}

function stateOf(keys: readonly TrustedKey[], at: number): string {
  const states = new Set(keys.map(key => standing(key, at)))
  return states.has('expired') ? 'the key has expired' : 'it is revoked already'
}
