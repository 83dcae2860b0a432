import { type Diagnostic, type Facts, quote } from '../../contract/index.ts'
import { type AgentHandoff, SIDES } from '../../contracts/index.ts'
import { formatInstant, parseInstant } from '../../document/index.ts'
import { nameOfFirst } from '../entries/find.ts'
import type { Attestation } from '../entries/predicates.ts'
import type { Gateway } from '../gateway/gateway.ts'
import type { Policies, PolicyOutcome } from '../policy/decide.ts'
import { NOTHING_SAID, type Said, saidOf } from './approvals.ts'
import { checkHandoff, notOneHandoff, type ReadHandoff } from './check.ts'
import type { Claims } from './claims.ts'
import { type Assessment, assess, attestationFrom, type Mismatch } from './evidence.ts'
import { finding } from './finding.ts'
import { policyEvidence, policyFindings, policyRequest, requirementsOf } from './policy.ts'
import { quarantineOf } from './quarantine.ts'
import { scanForSecrets } from './secrets.ts'
import { type Standing, uncommitted } from './standing.ts'
import { factsOf, type Surroundings } from './surroundings.ts'

/** What a gateway says to a handoff. */
export type Answer = 'accepted' | 'needs-input' | 'rejected'

/** What handoffs are judged by, at one moment. */
export interface Bench {
  readonly gateway: Gateway
  readonly surroundings: Surroundings
  readonly standing: Standing
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
}

/** What is decided where there is no handoff, or more than one. */
export const NOTHING_READ: Judgement = {
  answer: 'rejected',
  handoff: undefined,
  diagnostics: [notOneHandoff()],
  requirements: [],
  attestation: null,
  mismatch: { here: [], stated: false },
  kept: [],
}

/** Judges a handoff in full: contract with the facts of the moment, backing, secrets, policies. */
export async function judge(one: Case, bench: Bench): Promise<Judgement> {
  const { surroundings, standing, gateway, at } = bench
  const known = await knownOf(one, bench)
  const now = { now: at, config: gateway.config }
  const checked = await checkHandoff(one.read, known.facts, now)
  const backing = one.backing(checked.handoff)
  const secrets = await scanForSecrets(one.read.document, one.read.value)
  const { handoff } = checked
  const said = handoff ? await saidAbout(handoff, one, gateway) : NOTHING_SAID
  const found = [
    ...checked.diagnostics,
    ...backing.diagnostics,
    ...secrets.diagnostics,
    ...said.rejected.map(rejectedBy),
    ...uncommitted(standing),
  ]
  const assessment = handoff && assess(handoff, surroundings)
  const asked = handoff && assessment && { handoff, assessment, backing, known, said, found }
  const outcome = asked && ask(asked, bench)
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
    mismatch: assessment?.mismatch ?? { here: [], stated: false },
    kept: known.kept,
  }
}

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
}

async function knownOf({ claims, once }: Case, bench: Bench): Promise<Known> {
  const { log, origin } = bench.gateway
  const agents = [claims.source, claims.target].filter(agent => agent !== undefined)
  const quarantine = await quarantineOf(log, agents)
  const before = once === undefined ? undefined : await nameOfFirst(log, once)
  return {
    replayed: before !== undefined,
    kept: Object.keys(quarantine),
    facts: {
      ...factsOf(bench.surroundings),
      received: { value: { at: formatInstant(bench.at) } },
      replay: { value: { seen: before === undefined ? null : `${origin}#${before}` } },
      quarantine: { value: quarantine },
    },
  }
}

/** What people said of a handoff; of most ids the log knows nothing yet, and one look tells. */
async function saidAbout(
  handoff: AgentHandoff,
  one: Case,
  { log, config }: Gateway,
): Promise<Said> {
  const named = await log.find(`id:${handoff.handoff_id}`)
  return named.length === 0 ? NOTHING_SAID : saidOf(log, await one.approvable(handoff), config)
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

function ask(
  { handoff, assessment: { attested }, backing, known, said, found }: Asked,
  { surroundings, policies, at }: Bench,
): PolicyOutcome | undefined {
  const { signed, unsignedAllowed } = backing
  const { replayed, kept } = known
  const age = at - (parseInstant(handoff.timestamp) ?? Number.NaN)
  const request = policyRequest(handoff, surroundings, {
    sourceVerified: attested.source_agent_verified,
    targetVerified: attested.target_agent_verified,
    compositionValid: attested.composition_valid,
    boundariesRespected: attested.boundaries_respected,
    signed,
    unsignedAllowed,
    fresh: !found.some(({ code }) => code === FRESH),
    replayed,
    quarantined: SIDES.some(side => kept.includes(handoff[side].agent_id)),
    requestType: handoff.context.request.type,
    findings: found.filter(isError).length,
    ageSeconds: Math.floor(age / 1000),
    approvals: said.approved,
  })
  return request && policies.decide(request)
}

const FRESH = 'agent-handoff/fresh-when-received'
