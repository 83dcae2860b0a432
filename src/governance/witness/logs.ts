import { type NoteVerifier, noteVerifier, type WitnessPolicy } from '../../ledger/index.ts'
import { verifiersOf } from '../gateway/log.ts'
import { standing, type Trust } from '../trust/trust.ts'
import { verifyEd25519 } from './ed25519.ts'

/** The logs that a witness follows, each with its valid keys. */
export interface WitnessedLogs {
  readonly origins: readonly string[]
  verifiersOf(origin: string): readonly NoteVerifier[] | undefined
}

/**
 * The other logs that trust and a policy list. Trust limits when each key is valid. A witness does not follow its own
 * log.
 */
export function witnessedLogs(
  trust: Trust,
  policy: WitnessPolicy | undefined,
  own: string | undefined,
  now: () => number,
): WitnessedLogs {
  const listed = trust.keys.flatMap(({ holder }) => (holder.kind === 'log' ? [holder.name] : []))
  const named = policy?.logs.map(({ key }) => key.name) ?? []
  const origins = [...new Set([...listed, ...named])].filter(origin => origin !== own)
  const verifiers = (origin: string) => {
    const keys = trust.of('log', origin)
    const counting = keys.filter(key => standing(key, now()) === 'valid')
    const ids = counting.map(({ publicKey }) => publicKey.note?.id)
    const trusted = verifiersOf(trust, origin).filter(({ id }) => ids.includes(id))
    // Trust may end a key, which the policy cannot.
    const rest = policy?.logs.filter(({ key }) => key.name === origin && !knows(keys, key.id)) ?? []
    return [...trusted, ...rest.map(({ key }) => noteVerifier(key, verifyEd25519))]
  }
  return {
    origins,
    verifiersOf: origin => (origins.includes(origin) ? verifiers(origin) : undefined),
  }
}

const knows = (keys: Trust['keys'], id: string) =>
  keys.some(({ publicKey }) => publicKey.note?.id === id)
