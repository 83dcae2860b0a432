import { listed } from '../../contract/index.ts'
import type { LogReader } from '../../ledger/index.ts'
import { entryAt } from '../entries/lookup.ts'
import type { Between } from '../entries/predicates.ts'
import type { Gateway } from '../gateway/gateway.ts'
import type { Claims } from './claims.ts'
import type { Mismatch } from './evidence.ts'
import type { Judgement } from './judge.ts'

/** Whose word a document is. */
export interface Vouching {
  readonly claims: Claims
  /** Hex SHA-256 of the statement that the source agent has signed about it just now; absent where nobody vouches. */
  readonly signed: string | undefined
}

/**
 * Records that hashes do not match or cannot be compared, and gives the agents that are in quarantine from now on.
 *
 * Two things put an agent into quarantine. A prompt file here that is not the locked one: that is seen here, whoever
 * sent the handoff. And a wrong hash in a handoff that its source agent has signed just now: then the source is kept
 * out, for it alone vouches for what the handoff says, about the target as well. What nobody vouches for, or what was
 * copied from an old handoff, is refused and recorded, and keeps nobody out: else whoever can write a file could
 * stop any agent by naming it. Nor does a locked prompt that cannot be read: once it is back, nothing was wrong.
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
  const anew = isCopy ? undefined : vouched
  const accused = accusedBy(mismatch, vouched && source, { isCopy, kept })
  // An agent that is kept out already is not accused again with each handoff that names it, but by each that it signs:
  // a copy of any of them accuses nobody once a person has answered for it.
  const isTold = accused.some(agent => !kept.includes(agent)) || anew !== undefined
  if (accused.length > 0 && !isTold) return []
  const agents = [source, target].filter(agent => agent !== undefined)
  // Of an agent that nobody knows no name is repeated that is not well-formed.
  const plain = hashes.filter(({ agent, expected }) => expected !== null || agents.includes(agent))
  await gateway.record('security-event', {
    subject: subjectsOf(plain, anew),
    ids: id === undefined ? {} : { handoff: id },
    agents,
    says: {
      event: differs ? 'hash-mismatch' : 'prompt-absent',
      ...betweenOf(claims),
      // Also one that is kept out: should somebody let it out at this moment, this was not answered for.
      quarantined: accused.filter(agent => !kept.includes(agent) || (anew && agent === source)),
      hashes: plain,
      reason: reasonOf(mismatch),
      ...(anew !== undefined && { signed: anew }),
    },
  })
  // Other processes see what a published checkpoint covers: nobody is to accept anything of the agent from now on.
  await gateway.log.covered()
  return accused.filter(agent => !kept.includes(agent))
}

/** Whose prompt differs here, and who vouches for a wrong hash: of a copy only one who is kept out for it still. */
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

/** Whether a signed statement has accused its source before: then this is a copy, and a person may have answered for it. */
async function hasAccused(log: LogReader, signed: string): Promise<boolean> {
  for (const index of await log.find(`digest:${signed}`)) {
    const entry = await entryAt(log, index)
    // Others may have brought it about that an entry names this digest; that it was signed, only a gateway says.
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
    ...(here.length > 0 ? ['its prompt file is not the one that is locked'] : []),
    ...(stated ? ['a handoff stated a prompt hash that is not the locked one'] : []),
  ]
  return what.join(', and ')
}
