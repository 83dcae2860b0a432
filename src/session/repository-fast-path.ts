import type { RiskClass, StatedShortcuts, TicketRisk } from '../contracts/index.ts'
import type { CacheComparison, CacheFile, ReadCache } from './repository-cache.ts'
import type { ProfileDecision } from './repository-profile.ts'

/** One line of the score: what it is about, its points, whether they count, and what shows it. */
export interface FastPathItem {
  readonly about: string
  readonly points: number
  readonly counts: boolean
  readonly evidence: string
}

/** Whether discovery may be shortened, and how that came about. */
export interface FastPath {
  readonly eligible: boolean
  /** From 0 to 100. */
  readonly score: number
  readonly items: readonly FastPathItem[]
  readonly denied: readonly string[]
  readonly risk: RiskClass
  readonly digest: boolean
}

/** What a decision on the fast path rests on. */
export interface FastPathBasis {
  readonly cache: ReadCache
  readonly cachePath: string
  readonly comparison: CacheComparison
  readonly profile: ProfileDecision
  readonly planned: TicketRisk
  /** What was said of the risk beside the plan. */
  readonly risk?: RiskClass | undefined
  readonly stated?: StatedShortcuts | undefined
}

/** The score from which on the fast path is safe, and the confidence from which on a session goes on by itself. */
export const ENOUGH_FOR_FAST_PATH = 70

/**
 * Decides whether discovery may be shortened.
 *
 * Each precondition that fails is a reason against it, whatever the score; a score below 70 is one more. What a plan
 * shows of its risk can be raised by what is said, and not lowered.
 */
export function evaluateFastPath(basis: FastPathBasis): FastPath {
  const risk = riskOf(basis)
  const digest = hasDigest(basis)
  const items = itemsOf(basis, risk, digest)
  const sum = items.reduce((total, { points, counts }) => total + (counts ? points : 0), 0)
  const score = Math.min(100, Math.max(0, sum))
  const failed = objections(basis, risk, digest)
  const low = `the score is ${score}, and ${ENOUGH_FOR_FAST_PATH} is needed`
  const denied = [...failed, ...(score < ENOUGH_FOR_FAST_PATH ? [low] : [])]
  return { eligible: denied.length === 0, score, items, denied, risk, digest }
}

const RISKS: readonly RiskClass[] = ['low', 'medium', 'high']

function riskOf({ planned, risk = 'unknown' }: FastPathBasis): RiskClass {
  return RISKS[Math.max(RISKS.indexOf(planned.class), RISKS.indexOf(risk))] ?? 'unknown'
}

/** A digest counts where it describes this repository: in a valid cache, or in the state that is going on. */
function hasDigest({ cache, comparison, stated }: FastPathBasis): boolean {
  return (comparison.valid && isRead(cache) && cache.digest) || stated?.digest === true
}

const isRead = (cache: ReadCache): cache is CacheFile => !('refused' in cache)

function itemsOf(basis: FastPathBasis, risk: RiskClass, digest: boolean): FastPathItem[] {
  const { comparison, cachePath, profile, planned, stated } = basis
  const said = basis.risk === undefined ? [] : [`--risk ${basis.risk}`]
  const plan = [...planned.reasons.map(({ about, at }) => `${at}: ${about}`), ...said].join('; ')
  const unclear = profile.source === 'ambiguous'
  const open = profile.conflicts.filter(({ resolvedBy }) => resolvedBy === null)
  return [
    {
      about: 'the cache is valid',
      points: 30,
      counts: comparison.valid,
      evidence: comparison.valid ? cachePath : comparison.reason,
    },
    {
      about: 'the commit is the one that the cache describes',
      points: 20,
      counts: comparison.gitHeadMatch === true,
      evidence: 'git rev-parse HEAD',
    },
    {
      about: 'the signature is the one that the cache describes',
      points: 20,
      counts: comparison.repoSignatureMatch === true,
      evidence: 'waybill state signature',
    },
    {
      about: 'the repository digest is there',
      points: 15,
      counts: digest,
      evidence: stated?.digest
        ? 'RepoMapDigest of the state'
        : digest
          ? `RepoMapDigest in ${cachePath}`
          : 'neither the state nor a valid cache holds one',
    },
    {
      about: 'little can go wrong with the ticket',
      points: 15,
      counts: risk === 'low',
      evidence: plan || 'no plan in the state',
    },
    {
      about: 'the profile is unclear',
      points: -20,
      counts: unclear,
      evidence: profile.evidence,
    },
    {
      about: 'signals of the repository conflict',
      points: -15,
      counts: open.length > 0,
      evidence: [...new Set(open.flatMap(({ paths }) => paths.slice(0, 3)))].join(', '),
    },
  ]
}

function objections(basis: FastPathBasis, risk: RiskClass, digest: boolean): string[] {
  const { comparison, profile, stated, cachePath } = basis
  const low = stated?.confidence !== undefined && stated.confidence < ENOUGH_FOR_FAST_PATH
  return [
    ...(comparison.valid ? [] : [`${comparison.reason} (${cachePath})`]),
    ...(digest ? [] : ['no RepoMapDigest is loaded, so there is nothing to go on from']),
    ...(risk === 'high' ? ['the ticket is of high risk'] : []),
    ...(risk === 'unknown' ? ['the risk of the ticket is not known'] : []),
    ...(profile.source === 'ambiguous' ? ['the profile is ambiguous'] : []),
    ...(stated?.blocked ? ['the session is blocked'] : []),
    ...(low ? [`the confidence is ${stated.confidence}, below ${ENOUGH_FOR_FAST_PATH}`] : []),
  ]
}
