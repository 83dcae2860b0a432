import type { RiskClass, StatedShortcuts, TicketRisk } from '../contracts/index.ts'
import type { CacheComparison, CacheFile, ReadCache } from './repository-cache.ts'
import type { ProfileDecision } from './repository-profile.ts'

/** One line of the score, with its points, whether they count, and the evidence. */
export interface FastPathItem {
  readonly about: string
  readonly points: number
  readonly counts: boolean
  readonly evidence: string
}

/** Whether discovery may be shortened, and why. */
export interface FastPath {
  readonly eligible: boolean
  /** From 0 to 100. */
  readonly score: number
  readonly items: readonly FastPathItem[]
  readonly denied: readonly string[]
  readonly risk: RiskClass
  readonly digest: boolean
}

/** The facts that the fast path decision uses. */
export interface FastPathBasis {
  readonly cache: ReadCache
  readonly cachePath: string
  readonly comparison: CacheComparison
  readonly profile: ProfileDecision
  readonly planned: TicketRisk
  /** The risk given by the caller, in addition to the plan. */
  readonly risk?: RiskClass | undefined
  readonly stated?: StatedShortcuts | undefined
}

/** The lowest score for the fast path, and the lowest confidence at which a session advances. */
export const ENOUGH_FOR_FAST_PATH = 70

/**
 * Decides whether discovery may be shortened.
 *
 * Each failed precondition is a reason against it, whatever the score; so is a score below 70. The given risk can raise
 * the risk of the plan, but not lower it.
 */
export function evaluateFastPath(basis: FastPathBasis): FastPath {
  const risk = riskOf(basis)
  const digest = hasDigest(basis)
  const items = itemsOf(basis, risk, digest)
  const sum = items.reduce((total, { points, counts }) => total + (counts ? points : 0), 0)
  const score = Math.min(100, Math.max(0, sum))
  const failed = objections(basis, risk, digest)
  const low = `the score is ${score}, but ${ENOUGH_FOR_FAST_PATH} is needed`
  const denied = [...failed, ...(score < ENOUGH_FOR_FAST_PATH ? [low] : [])]
  return { eligible: denied.length === 0, score, items, denied, risk, digest }
}

const RISKS: readonly RiskClass[] = ['low', 'medium', 'high']

function riskOf({ planned, risk = 'unknown' }: FastPathBasis): RiskClass {
  return RISKS[Math.max(RISKS.indexOf(planned.class), RISKS.indexOf(risk))] ?? 'unknown'
}

/** A digest counts if it describes this repository: in a valid cache or the current state. */
function hasDigest({ cache, comparison, stated }: FastPathBasis): boolean {
  return (comparison.valid && isRead(cache) && cache.digest) || stated?.digest === true
}

const isRead = (cache: ReadCache): cache is CacheFile => !('refused' in cache)

function itemsOf(basis: FastPathBasis, risk: RiskClass, digest: boolean): FastPathItem[] {
  const { comparison, cachePath, profile, planned, stated } = basis
  const given = basis.risk === undefined ? [] : [`--risk ${basis.risk}`]
  const plan = [...planned.reasons.map(({ about, at }) => `${at}: ${about}`), ...given].join('; ')
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
      about: 'the commit matches the cache',
      points: 20,
      counts: comparison.gitHeadMatch === true,
      evidence: 'git rev-parse HEAD',
    },
    {
      about: 'the signature matches the cache',
      points: 20,
      counts: comparison.repoSignatureMatch === true,
      evidence: 'waybill state signature',
    },
    {
      about: 'a repository digest exists',
      points: 15,
      counts: digest,
      evidence: stated?.digest
        ? 'RepoMapDigest of the state'
        : digest
          ? `RepoMapDigest in ${cachePath}`
          : 'not in the state or a valid cache',
    },
    {
      about: 'the risk of the ticket is low',
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
    ...(digest ? [] : ['no RepoMapDigest is loaded to continue from']),
    ...(risk === 'high' ? ['the ticket has high risk'] : []),
    ...(risk === 'unknown' ? ['the risk of the ticket is not known'] : []),
    ...(profile.source === 'ambiguous' ? ['the profile is ambiguous'] : []),
    ...(stated?.blocked ? ['the session is blocked'] : []),
    ...(low ? [`the confidence is ${stated.confidence}, below ${ENOUGH_FOR_FAST_PATH}`] : []),
  ]
}
