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
      description:
        'How much can go wrong with the ticket; it raises what the plan shows, and never lowers it.',
    },
    cache: {
      type: 'string',
      path: true,
      placeholder: 'file',
      description: 'The cache (default: the one of the state, else repo-cache.yaml at the root).',
    },
    file: FILE,
  },
} as const

/** Decides whether discovery may be shortened. */
export default defineOperation({
  name: 'state fast-path',
  summary: 'Decide whether discovery may be shortened, line by line',
  description:
    'Checks that the cache describes this repository, that there is a digest to go on from, that the profile is clear ' +
    'and that little can go wrong with the ticket, as its plan shows. Every failed precondition is a reason against it, ' +
    'and so is a score below 70. It saves discovery only: every gate stays as it is. Exits with 1 when it is not safe.',
  examples: [
    { command: 'waybill state fast-path', does: 'see whether it is safe, and why' },
    {
      command: 'waybill state fast-path --risk low',
      does: 'say how risky the ticket is before there is a plan',
    },
    { command: 'waybill state fast-path --quiet', does: 'print only what to paste' },
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
      ...(risk ? [{ risk, about: 'said of the ticket', at: '--risk' }] : []),
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
  if (!eligible) return `score ${score}: ${shown(denied[0] ?? '')}; discovery is done in full`
  return `score ${score}: discovery may be shortened, and every gate stays`
}
