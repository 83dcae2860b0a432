import { statedProfile, statedShortcuts, ticketRisk } from '../contracts/index.ts'
import {
  compareCache,
  decideProfile,
  ENOUGH_FOR_FAST_PATH,
  evaluateFastPath,
  type FastPath,
  gatherSignals,
  isShaping,
  openRepository,
  readScope,
  type StateFile,
  signatureOf,
} from '../session/index.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'
import { cachePart } from './state/cache-part.ts'
import { asPart, listingOf, openCache, ownPaths, shown, stateAt } from './state/ground.ts'
import type { RepoCacheFileOutput } from './state/ground-output.ts'
import { FILE } from './state/report.ts'
import type { StateFastPathOutput } from './state-fast-path/output.ts'

type Evaluation = StateFastPathOutput['FastPathEvaluation']

const input = {
  type: 'object',
  properties: {
    risk: {
      type: 'string',
      enum: ['low', 'medium', 'high'],
      description: 'The risk of the ticket; it can only raise the risk that the plan shows.',
    },
    cache: {
      type: 'string',
      path: true,
      placeholder: 'file',
      description: 'The cache (default: that of the state, or repo-cache.yaml at the root).',
    },
    file: FILE,
  },
} as const

/** Decides whether discovery may be shortened. */
export default defineOperation({
  name: 'state fast-path',
  summary: 'Decide whether repository discovery may be shortened',
  description:
    'Requires a cache of this repository, a repository map digest, a clear profile, a low risk of the ticket by its plan, ' +
    'and a score of at least 70; every failed condition is listed. Only discovery is shortened: all gates stay. Exits with ' +
    '1 when it is not safe.',
  examples: [
    { command: 'waybill state fast-path', does: 'show whether it is safe, and why' },
    {
      command: 'waybill state fast-path --risk low',
      does: 'give the risk of the ticket before there is a plan',
    },
    { command: 'waybill state fast-path --quiet', does: 'print only the YAML to paste' },
  ],
  actor: 'any',
  effect: 'read',
  input,
  run: (given, app) => fastPath(given, app),
  failed: ({ FastPathEvaluation }) => !FastPathEvaluation.Eligible,
})

async function fastPath(
  { risk, cache: named, file }: TypeOf<typeof input>,
  app: App,
): Promise<StateFastPathOutput> {
  const state = await stateAt(app, file)
  const cache = await openCache(app, named, state)
  const repository = openRepository(app.root, ownPaths(app, file, cache))
  const signature = signatureOf(repository)
  const stated = state && statedProfile(state.value)
  const { paths: scope } = readScope(stated?.scope ?? [])
  const comparison = compareCache(cache.read, repository, signature)
  const planned = ticketRisk(state?.value ?? {}, isShaping)
  const decided = evaluateFastPath({
    cache: cache.read,
    cachePath: cache.path,
    comparison,
    profile: decideProfile({ signals: gatherSignals(repository, scope), scope, stated }),
    planned,
    risk,
    stated: state && statedShortcuts(state.value),
  })
  const now = {
    commit: listingOf(repository).gitHead,
    signature: 'digest' in signature ? signature.digest : 'unknown',
  }
  const evaluation = evaluationOf(decided, cachePart(cache, comparison), now, state)
  return {
    state: state ? shown(state.path) : null,
    score: decided.score,
    needed: ENOUGH_FOR_FAST_PATH,
    items: decided.items.map(item => ({ ...item, evidence: shown(item.evidence) })),
    risks: [
      ...planned.reasons,
      ...(risk ? [{ risk, about: 'stated for the ticket', at: '--risk' }] : []),
    ],
    FastPathEvaluation: evaluation,
    yaml: asPart({ FastPathEvaluation: evaluation }, state),
  }
}

function evaluationOf(
  decided: FastPath,
  cache: RepoCacheFileOutput,
  now: { readonly commit: string; readonly signature: string },
  state: StateFile | undefined,
): Evaluation {
  const stated = state && statedShortcuts(state.value)
  const applied = decided.eligible && stated?.applied === true
  const { PathsScanned = [], Skipped = [] } = stated?.reducedScope ?? {}
  return {
    Evaluated: true,
    Eligible: decided.eligible,
    Applied: applied,
    Reason: reasonOf(decided),
    Preconditions: {
      RepoMapDigestLoaded: decided.digest,
      PersistedGitHead: cache.GitHead,
      CurrentGitHead: now.commit,
      GitHeadMatch: cache.GitHeadMatch,
      PersistedRepoSignature: cache.RepoSignature,
      CurrentRepoSignature: now.signature,
      RepoSignatureMatch: cache.RepoSignatureMatch,
      TicketRiskClass: decided.risk,
    },
    DenyReasons: decided.denied.map(shown),
    ...(applied && {
      ReducedDiscoveryScope: {
        PathsScanned: PathsScanned.map(shown),
        Skipped: Skipped.map(shown),
      },
    }),
    EvidenceRefs: [
      cache.SourcePath,
      ...(state ? [shown(state.path)] : []),
      'git rev-parse HEAD',
      'waybill state signature',
    ],
  }
}

function reasonOf({ eligible, score, denied }: FastPath): string {
  if (!eligible) return `score ${score}: ${shown(denied[0] ?? '')}; run the full discovery`
  return `score ${score}: discovery may be shortened; all gates stay`
}
