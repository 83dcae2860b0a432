import { type Diagnostic, type Facts, quote } from '../../contract/index.ts'
import { type AgentHandoff, SIDES } from '../../contracts/index.ts'
import { formatInstant, parseInstant } from '../../document/index.ts'
import type { SeenLast } from '../../ledger/index.ts'
import { nameOfFirst } from '../entries/find.ts'
import { sentKey } from '../entries/keys.ts'
import type { Attestation } from '../entries/predicates.ts'
import type { Gateway } from '../gateway/gateway.ts'
import type { Policies, PolicyOutcome } from '../policy/decide.ts'
import { NOTHING_SAID, type Said, saidOf } from './approvals.ts'
import { checkHandoff, notOneHandoff, type ReadHandoff } from './check.ts'
import { agentsClaimed, type Claims } from './claims.ts'
import { type CommittedEvidence, uncommitted } from './committed-evidence.ts'
import {
  type Assessment,
  assess,
  attestationFrom,
  type Mismatch,
  mismatchClaimed,
  NO_MISMATCH,
} from './evidence.ts'
import { finding } from './finding.ts'
import { factsOf, type GovernanceFiles, notGoverned } from './governance-files.ts'
import { policyEvidence, policyFindings, policyRequest, requirementsOf } from './policy.ts'
import { quarantineSeen } from './quarantine.ts'
import { scanForSecrets } from './secrets.ts'

/** The decision of a gateway on a handoff. */
export type Answer = 'accepted' | 'needs-input' | 'rejected'

/** The inputs to a decision on a handoff, at one moment. */
export interface DecisionContext {
  readonly gateway: Gateway
  readonly governanceFiles: GovernanceFiles
  readonly standing: CommittedEvidence
  readonly policies: Policies
  /** Gateway time, in milliseconds since the epoch. */
  readonly at: number
}

/** What verifies the source of a handoff. */
export interface Backing {
  readonly diagnostics: readonly Diagnostic[]
  /** Whether the source agent signed it with a valid trusted key. */
  readonly signed: boolean
  /** Whether unsigned documents of the source are accepted. */
  readonly unsignedAllowed: boolean
  readonly envelope: Attestation['envelope']
}

/** One handoff to decide on. */
export interface Case {
  readonly read: ReadHandoff
  readonly claims: Claims
  /** The unique log key that is taken once a handoff with its id was processed. */
  readonly once: string | undefined
  /** The document digests whose approval approves this handoff. */
  approvable(handoff: AgentHandoff): Promise<readonly string[]>
  /** Verifies the source; called after the contract, with the handoff if its structure is valid. */
  backing(handoff: AgentHandoff | undefined): Backing
}

/** The decision on a handoff, before it is recorded. */
export interface Judgement {
  readonly answer: Answer
  /** The handoff, if its structure is valid. */
  readonly handoff: AgentHandoff | undefined
  readonly diagnostics: readonly Diagnostic[]
  readonly requirements: readonly string[]
  readonly attestation: Attestation | null
  /** Prompts that differ from the locked versions. */
  readonly mismatch: Mismatch
  /** Agents that were in quarantine before. */
  readonly kept: readonly string[]
  /** The entries on quarantine and approvals; newer ones require a new decision. */
  readonly seen: readonly SeenLast[]
}

/** The decision when there is no handoff, or more than one. */
export const NOTHING_READ: Judgement = {
  answer: 'rejected',
  handoff: undefined,
  diagnostics: [notOneHandoff()],
  requirements: [],
  attestation: null,
  mismatch: NO_MISMATCH,
  kept: [],
  seen: [],
}

/** Decides on a handoff: contract with current facts, source, secrets, policies. */
export async function judge(one: Case, decisionContext: DecisionContext): Promise<Judgement> {
  const { governanceFiles, standing, gateway, at } = decisionContext
  const ungoverned = notGoverned(governanceFiles)
  if (ungoverned.length > 0) return { ...NOTHING_READ, diagnostics: ungoverned }
  const known = await knownOf(one, decisionContext)
  const now = { now: at, config: gateway.config }
  const checked = await checkHandoff(one.read, known.facts, now)
  const backing = one.backing(checked.handoff)
  const secrets = await scanForSecrets(one.read.document, one.read.value)
  const { handoff } = checked
  const about = handoff && (await saidAbout(handoff, one, gateway))
  const { said, trail } = about ?? { said: NOTHING_SAID, trail: [] }
  const found = [
    ...checked.diagnostics,
    ...backing.diagnostics,
    ...secrets.diagnostics,
    ...said.rejected.map(rejectedBy),
    ...trail,
    ...uncommitted(standing),
  ]
  const assessment = handoff && assess(handoff, governanceFiles)
  const asked = handoff && assessment && { handoff, assessment, backing, known, said, found }
  const outcome = asked && (await ask(asked, decisionContext))
  // Skip a denial that only repeats a rule; report one that stands alone.
  const denials = outcome && !found.some(isError) ? policyFindings(outcome) : []
  const diagnostics = [...found, ...denials]
  const requirements = outcome ? requirementsOf(outcome) : []
  return {
    answer: answerOf(diagnostics, outcome),
    handoff,
    diagnostics,
    requirements: diagnostics.some(isError) ? [] : requirements,
    attestation: assessment
      ? attestationFrom(assessment, standing, {
          envelope: backing.envelope,
          policy: outcome ? policyEvidence(outcome) : null,
          checks: [...checked.checks, ...secrets.scanners.map(name => `secrets/${name}`)],
          notRun: checked.notRun,
        })
      : null,
    // Errors elsewhere in the document do not excuse a prompt mismatch.
    mismatch:
      assessment?.mismatch ?? mismatchClaimed(agentsClaimed(readable(one.read)), governanceFiles),
    kept: known.kept,
    seen: about ? [...known.seen, about.seen] : known.seen,
  }
}

/** Text recovered from an unparsable document proves nothing. */
const readable = ({ document, value }: ReadHandoff) =>
  document.faults.length === 0 ? value : undefined

const isError = ({ severity }: Diagnostic) => severity === 'error'

/** A handoff without a policy decision is not accepted. */
function answerOf(diagnostics: readonly Diagnostic[], outcome: PolicyOutcome | undefined): Answer {
  if (diagnostics.some(isError) || !outcome || outcome.decision === 'deny') return 'rejected'
  return outcome.decision === 'allow' ? 'accepted' : 'needs-input'
}

/** What the log records about a handoff and its agents. */
interface Known {
  readonly facts: Facts
  readonly replayed: boolean
  readonly kept: readonly string[]
  readonly seen: readonly SeenLast[]
}

async function knownOf({ claims, once }: Case, decisionContext: DecisionContext): Promise<Known> {
  const { log, config, origin } = decisionContext.gateway
  const agents = [claims.source, claims.target].filter(agent => agent !== undefined)
  const { kept, seen } = await quarantineSeen({ log, config }, agents)
  const before = once === undefined ? undefined : await nameOfFirst(log, once)
  return {
    replayed: before !== undefined,
    kept: Object.keys(kept),
    seen,
    facts: {
      ...factsOf(decisionContext.governanceFiles),
      received: { value: { at: formatInstant(decisionContext.at) } },
      replay: { value: { seen: before === undefined ? null : `${origin}#${before}` } },
      quarantine: { value: kept },
    },
  }
}

/**
 * Reads the approvals of a handoff. For most ids the log has no entry, or only that of sending: then one lookup is
 * enough, since approvals are also indexed by the id.
 */
async function saidAbout(
  handoff: AgentHandoff,
  one: Case,
  { log, config, origin }: Gateway,
): Promise<{
  readonly said: Said
  readonly seen: SeenLast
  readonly trail: readonly Diagnostic[]
}> {
  const key = `id:${handoff.handoff_id}`
  const named = await log.find(key)
  const seen = { key, last: named.at(-1) }
  const sent = named.length === 0 ? [] : await log.find(sentKey(handoff.handoff_id))
  const trail = await otherTrail(handoff, sent, { log, origin })
  if (named.every(index => sent.includes(index))) return { said: NOTHING_SAID, seen, trail }
  return { said: await saidOf(log, await one.approvable(handoff), config), seen, trail }
}

/**
 * Reports an audit trail that names no entry of this log, or not the one that sent the handoff; other logs cannot be
 * checked.
 */
async function otherTrail(
  { governance: { audit_trail: trail } }: AgentHandoff,
  sent: readonly number[],
  { log, origin }: Pick<Gateway, 'log' | 'origin'>,
): Promise<Diagnostic[]> {
  if (!trail.startsWith(`${origin}#`)) return []
  const named = await log.find(`digest:${trail.slice(origin.length + 1)}`)
  if (sent.some(index => named.includes(index))) return []
  const message = `it names ${quote(trail)} as its audit trail, which is not the entry that recorded its sending`
  const hint = 'ask the sender to send it again: waybill send sets the audit trail'
  return [finding('gateway/trail-differs', message, hint, { path: '/governance/audit_trail' })]
}

const rejectedBy = (person: string): Diagnostic =>
  finding(
    'gateway/not-approved',
    `${quote(person)} rejected this handoff`,
    'fix what that person names and send it again, or have the same person run waybill approve',
  )

/** A handoff to ask the policies about, with all facts known so far. */
interface Asked {
  readonly handoff: AgentHandoff
  readonly assessment: Assessment
  readonly backing: Backing
  readonly known: Known
  readonly said: Said
  readonly found: readonly Diagnostic[]
}

async function ask(
  { handoff, assessment: { attested }, backing, known, said, found }: Asked,
  { governanceFiles, policies, at }: DecisionContext,
): Promise<PolicyOutcome | undefined> {
  const { signed, unsignedAllowed } = backing
  const { replayed, kept } = known
  const age = at - (parseInstant(handoff.timestamp) ?? Number.NaN)
  const request = policyRequest(handoff, governanceFiles, {
    sourceVerified: attested.source_agent_verified,
    targetVerified: attested.target_agent_verified,
    compositionValid: attested.composition_valid,
    boundariesRespected: attested.boundaries_respected,
    signed,
    unsignedAllowed,
    fresh: !found.some(({ code }) => UNTIMELY.includes(code)),
    replayed,
    quarantined: SIDES.some(side => kept.includes(handoff[side].agent_id)),
    requestType: handoff.context.request.type,
    findings: found.filter(isError).length,
    ageSeconds: Math.floor(age / 1000),
    approvals: said.approved,
  })
  return request && policies.decideAside(request)
}

const UNTIMELY = ['agent-handoff/fresh-when-received', 'agent-handoff/not-ahead-when-received']
