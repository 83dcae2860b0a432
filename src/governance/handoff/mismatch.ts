import { listed } from '../../contract/index.ts'
import type { LogReader } from '../../ledger/index.ts'
import { entryAt } from '../entries/lookup.ts'
import type { Between } from '../entries/predicates.ts'
import type { Gateway } from '../gateway/gateway.ts'
import type { Claims } from './claims.ts'
import type { Mismatch } from './evidence.ts'
import type { Judgement } from './judge.ts'

/** What verifies a document. */
export interface Vouching {
  readonly claims: Claims
  /** Hex SHA-256 of the statement that the source agent signed about it for this handoff; absent if unsigned. */
  readonly signed: string | undefined
}

/**
 * Records hash mismatches and unreadable prompts; returns the agents that enter quarantine.
 *
 * Two things quarantine an agent: a prompt file here that differs from the locked version, even if an outsider sent the handoff;
 * and a wrong hash in a handoff newly signed by its source agent, which quarantines the source, even if the hash is
 * that of the target. Unsigned handoffs and copies of old ones are refused and recorded without quarantine; otherwise
 * anyone who can write a file could stop any agent by naming it. An unreadable locked prompt does not quarantine
 * either.
 */
export async function recordMismatch(
  { mismatch, kept }: Judgement,
  gateway: Gateway,
  { claims, signed }: Vouching,
): Promise<readonly string[]> {
  const { source, target, handoff: id } = claims
  const { here, absent, stated, hashes } = mismatch
  const differs = here.length > 0 || stated
  if (!differs && absent.length === 0) return []
  const vouched = stated && source !== undefined ? signed : undefined
  const isCopy = vouched !== undefined && (await hasAccused(gateway.log, vouched))
  const fresh = isCopy ? undefined : vouched
  const accused = accusedBy(mismatch, vouched && source, { isCopy, kept })
  // Accuse a quarantined agent again only for handoffs that it newly signs, not for each that names it: a copy must
  // not accuse an agent after a person has reconciled it.
  const isNew = accused.some(agent => !kept.includes(agent)) || fresh !== undefined
  if (accused.length > 0 && !isNew) return []
  const agents = [source, target].filter(agent => agent !== undefined)
  // Do not repeat malformed names of unknown agents.
  const plain = hashes.filter(({ agent, expected }) => expected !== null || agents.includes(agent))
  await gateway.record('security-event', {
    subject: subjectsOf(plain, fresh),
    ids: id === undefined ? {} : { handoff: id },
    agents,
    says: {
      event: differs ? 'hash-mismatch' : 'prompt-absent',
      ...betweenOf(claims),
      // Include a quarantined source: a concurrent reconciliation does not cover this event.
      quarantined: accused.filter(agent => !kept.includes(agent) || (fresh && agent === source)),
      hashes: plain,
      reason: reasonOf(mismatch),
      ...(fresh !== undefined && { signed: fresh }),
    },
  })
  // Other processes read what a checkpoint covers; publish so that they refuse the agent from now on.
  await gateway.log.covered()
  return accused.filter(agent => !kept.includes(agent))
}

/** Agents whose prompt differs here, and the signer of a wrong hash; for a copy only a signer still in quarantine. */
function accusedBy(
  { here }: Mismatch,
  vouching: string | undefined,
  { isCopy, kept }: { readonly isCopy: boolean; readonly kept: readonly string[] },
): readonly string[] {
  const counts = vouching !== undefined && (!isCopy || kept.includes(vouching))
  return [...new Set(counts ? [...here, vouching] : here)]
}

function betweenOf({ source, target }: Claims): Between {
  return {
    ...(source !== undefined && { from: source }),
    ...(target !== undefined && { to: target }),
  }
}

/** Whether the log already holds this statement's accusation: then this is a copy, possibly already reconciled. */
async function hasAccused(log: LogReader, signed: string): Promise<boolean> {
  for (const index of await log.find(`digest:${signed}`)) {
    const entry = await entryAt(log, index)
    // Any sender can make an entry name this digest; only the gateway records that it was signed.
    if (entry.is !== 'entry' || entry.kind !== 'security-event') continue
    if (entry.statement.predicate.signed === signed) return true
  }
  return false
}

function subjectsOf(hashes: Mismatch['hashes'], signed: string | undefined) {
  const prompts = hashes.flatMap(({ agent, expected, stated }) => {
    const sha256 = expected ?? stated
    return sha256 === null ? [] : [{ name: agent, digest: { sha256 } }]
  })
  return signed === undefined ? prompts : [...prompts, { name: SIGNED, digest: { sha256: signed } }]
}

const SIGNED = 'signed statement'

function reasonOf({ here, absent, stated }: Mismatch): string {
  const what = [
    ...(absent.length > 0 ? [`the locked prompt of ${listed(absent)} cannot be read`] : []),
    ...(here.length > 0 ? ['its prompt file differs from the locked version'] : []),
    ...(stated ? ['a handoff stated a prompt hash that differs from the locked one'] : []),
  ]
  return what.join(', and ')
}
