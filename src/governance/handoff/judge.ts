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

/** What a gateway says to a handoff. */
export type Answer = 'accepted' | 'needs-input' | 'rejected'

/** What handoffs are judged by, at one moment. */
export interface DecisionContext {
  readonly gateway: Gateway
  readonly governanceFiles: GovernanceFiles
  readonly standing: CommittedEvidence
  readonly policies: Policies
  /** Gateway time, milliseconds since 1970. */
  readonly at: number
}

/** Who stands behind a handoff. */
export interface Backing {
  readonly diagnostics: readonly Diagnostic[]
  /** Whether the source agent has signed it, with a key that counts. */
  readonly signed: boolean
  /** Whether bare documents of the source are taken. */
  readonly unsignedAllowed: boolean
  readonly envelope: Attestation['envelope']
}

/** One handoff that is to be judged. */
export interface Case {
  readonly read: ReadHandoff
  readonly claims: Claims
  /** The key of the log that is taken once a handoff with its id was through before. */
  readonly once: string | undefined
  /** The digests of documents whose approval is one of this handoff. */
  approvable(handoff: AgentHandoff): Promise<readonly string[]>
  /** Finds out who stands behind it; asked after the contract, with the handoff if that is sound. */
  backing(handoff: AgentHandoff | undefined): Backing
}

/** What a handoff deserves, before anything of it is recorded. */
export interface Judgement {
  readonly answer: Answer
  /** The handoff, if its structure is sound. */
  readonly handoff: AgentHandoff | undefined
  readonly diagnostics: readonly Diagnostic[]
  readonly requirements: readonly string[]
  readonly attestation: Attestation | null
  /** Prompts that are not the locked ones. */
  readonly mismatch: Mismatch
  /** Agents that were in quarantine before. */
  readonly kept: readonly string[]
  /** The entries that tell who is, and what people said: it is judged otherwise when there are newer ones. */
  readonly seen: readonly SeenLast[]
}

/** What is decided where there is no handoff, or more than one. */
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

/** Judges a handoff in full: contract with the facts of the moment, backing, secrets, policies. */
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
  // A policy that repeats what a rule has found adds nothing; one that is alone in its refusal has to be told.
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
    // A fault elsewhere in the document excuses no prompt.
    mismatch:
      assessment?.mismatch ?? mismatchClaimed(agentsClaimed(readable(one.read)), governanceFiles),
    kept: known.kept,
    seen: about ? [...known.seen, about.seen] : known.seen,
  }
}

/** What was recovered from a text that cannot be read says nothing. */
const readable = ({ document, value }: ReadHandoff) =>
  document.faults.length === 0 ? value : undefined

const isError = ({ severity }: Diagnostic) => severity === 'error'

/** What nobody has decided on is not accepted. */
function answerOf(diagnostics: readonly Diagnostic[], outcome: PolicyOutcome | undefined): Answer {
  if (diagnostics.some(isError) || !outcome || outcome.decision === 'deny') return 'rejected'
  return outcome.decision === 'allow' ? 'accepted' : 'needs-input'
}

/** What the log knows of a handoff and its agents. */
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
 * What people said of a handoff. Of most ids the log knows nothing yet, or only that the handoff was sent: then one look
 * tells, since an approval stands under the id as well.
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

/** What a handoff says of an entry of this log that is none, or not the one by which it was sent; of other logs nobody can tell. */
async function otherTrail(
  { governance: { audit_trail: trail } }: AgentHandoff,
  sent: readonly number[],
  { log, origin }: Pick<Gateway, 'log' | 'origin'>,
): Promise<Diagnostic[]> {
  if (!trail.startsWith(`${origin}#`)) return []
  const named = await log.find(`digest:${trail.slice(origin.length + 1)}`)
  if (sent.some(index => named.includes(index))) return []
  const message = `it names ${quote(trail)} as its audit trail, and that is not the entry of its being sent`
  const hint = 'let the sender send it anew: waybill send names the entry'
  return [finding('gateway/trail-differs', message, hint, { path: '/governance/audit_trail' })]
}

const rejectedBy = (person: string): Diagnostic =>
  finding(
    'gateway/not-approved',
    `${quote(person)} has rejected exactly this handoff`,
    'mend what that person names and send it anew, or let the same person approve it: waybill approve',
  )

/** A handoff about which the policies are asked, and all that is known of it by then. */
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
