import type { ReadEntry } from '../entries/entry.ts'
import type { PolicyEvidence } from '../entries/predicates.ts'
import { partsOf } from '../entries/summary.ts'
import type { PolicyOutcome } from './decide.ts'

/** The recorded facts of a policy decision. */
export interface RecordedFact {
  readonly name: string
  readonly value: string | boolean | number
}

/** The outcome that an entry records; `undefined` if there is none or it is unreadable. */
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

/** A denial by rules alone: policies are not asked about what the rules refuse. */
export type RuleRefusal = Pick<PolicyOutcome, 'action' | 'decision' | 'determining'>

/** The recorded denial by rules alone, with the code of each error; else `undefined`. */
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

/** Facts of an entry under their names in policies. */
const ATTESTED = {
  source_agent_verified: 'sourceVerified',
  target_agent_verified: 'targetVerified',
  composition_valid: 'compositionValid',
  boundaries_respected: 'boundariesRespected',
} as const

/** The facts of a decision that its entry records. */
export function recordedFacts(entry: ReadEntry): readonly RecordedFact[] {
  // The contents of a proposal are in the database of its mission.
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
    // A sent handoff is signed afterwards; whether a key was available is not recorded.
    ...(isSending(entry)
      ? []
      : [{ name: 'signed', value: Array.isArray(keys) && keys.length > 0 }]),
    // Each code is recorded once, however often it was found.
    { name: 'findings', value: errors === 0 ? 0 : `${errors} or more` },
    ...(typeof type === 'string' ? [{ name: 'requestType', value: type }] : []),
  ]
}

/** Codes of the policies themselves, found after they were asked. */
const POLICY_CODES: readonly string[] = ['gateway/denied', 'gateway/policy-failed']

/** The codes of the rule errors found before the policies were asked. */
export function recordedErrors(entry: ReadEntry): readonly string[] {
  if (entry.is !== 'entry') return []
  const { found } = entry.statement.predicate
  return (Array.isArray(found) ? found.map(partsOf) : []).flatMap(({ code, severity }) =>
    typeof code === 'string' && severity === 'error' && !POLICY_CODES.includes(code) ? [code] : [],
  )
}

function isSending({ kind, statement }: Extract<ReadEntry, { is: 'entry' }>): boolean {
  return kind === 'handoff-sent' || statement.subject.some(({ name }) => name === 'draft')
}
