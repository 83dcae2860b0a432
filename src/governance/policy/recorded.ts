import type { ReadEntry } from '../entries/entry.ts'
import type { PolicyEvidence } from '../entries/predicates.ts'
import { partsOf } from '../entries/summary.ts'
import type { PolicyOutcome } from './decide.ts'

/** What was known when policies decided, as far as an entry tells. */
export interface RecordedFact {
  readonly name: string
  readonly value: string | boolean | number
}

/** The outcome that an entry records; `undefined` where the policies were not asked, or it cannot be read. */
export function recordedOutcome(entry: ReadEntry): PolicyOutcome | undefined {
  if (entry.is !== 'entry') return undefined
  const { attestation, policy: own } = entry.statement.predicate
  const policy = partsOf(isOnWriteBack(entry) ? own : partsOf(attestation).policy)
  if (typeof policy.decision !== 'string' || !Array.isArray(policy.determining)) return undefined
  const { decision, determining, errors, set } = policy as unknown as PolicyEvidence
  const action = isOnWriteBack(entry) ? 'writeBack' : 'handoff'
  return { action, decision, determining, errors, setDigest: set }
}

function isOnWriteBack({ kind }: Extract<ReadEntry, { is: 'entry' }>): boolean {
  return kind === 'writeback-decision' || kind === 'writeback-outcome'
}

/** A denial that the rules alone gave: policies are not asked about what the rules have refused. */
export type RuleRefusal = Pick<PolicyOutcome, 'action' | 'decision' | 'determining'>

/** The denial that an entry records where the rules alone gave it, by the code of each error; else `undefined`. */
export function recordedRefusal(entry: ReadEntry): RuleRefusal | undefined {
  if (entry.is !== 'entry' || entry.kind !== 'handoff-rejected' || recordedOutcome(entry))
    return undefined
  const { found } = entry.statement.predicate
  const codes = (Array.isArray(found) ? found.map(partsOf) : []).flatMap(({ code, severity }) =>
    typeof code === 'string' && severity === 'error' ? [code] : [],
  )
  const determining = [...new Set(codes)].map(
    id => ({ id, effect: 'none', reason: 'refused by the rule' }) as const,
  )
  return determining.length === 0 ? undefined : { action: 'handoff', decision: 'deny', determining }
}

/** Facts of an entry under the names that policies have for them. */
const ATTESTED = {
  source_agent_verified: 'sourceVerified',
  target_agent_verified: 'targetVerified',
  composition_valid: 'compositionValid',
  boundaries_respected: 'boundariesRespected',
} as const

/** The facts of a decision, as far as its entry records them. */
export function recordedFacts(entry: ReadEntry): readonly RecordedFact[] {
  // What stands in a proposal is in the database of its mission.
  if (entry.is !== 'entry' || isOnWriteBack(entry)) return []
  const { attestation, document } = entry.statement.predicate
  const attested = partsOf(attestation)
  const { keys } = partsOf(attested.envelope)
  const { type } = partsOf(partsOf(partsOf(document).context).request)
  const errors = recordedErrors(entry).length
  return [
    ...Object.entries(ATTESTED).flatMap(([key, name]) => {
      const value = attested[key]
      return typeof value === 'boolean' ? [{ name, value }] : []
    }),
    // What is sent is signed afterwards, and whether it could be is not recorded.
    ...(isSending(entry)
      ? []
      : [{ name: 'signed', value: Array.isArray(keys) && keys.length > 0 }]),
    // Each code is recorded once, however often it was found.
    { name: 'findings', value: errors === 0 ? 0 : `${errors} or more` },
    ...(typeof type === 'string' ? [{ name: 'requestType', value: type }] : []),
  ]
}

/** What the policies themselves say is found after they were asked. */
const SAID_BY_POLICIES: readonly string[] = ['gateway/denied', 'gateway/policy-failed']

/** The codes of the errors that the rules had found when the policies were asked. */
export function recordedErrors(entry: ReadEntry): readonly string[] {
  if (entry.is !== 'entry') return []
  const { found } = entry.statement.predicate
  return (Array.isArray(found) ? found.map(partsOf) : []).flatMap(({ code, severity }) =>
    typeof code === 'string' && severity === 'error' && !SAID_BY_POLICIES.includes(code)
      ? [code]
      : [],
  )
}

function isSending({ kind, statement }: Extract<ReadEntry, { is: 'entry' }>): boolean {
  return kind === 'handoff-sent' || statement.subject.some(({ name }) => name === 'draft')
}
