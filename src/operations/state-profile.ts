import { statedProfile } from '../contracts/index.ts'
import type { Json } from '../document/index.ts'
import {
  decideProfile,
  gatherSignals,
  openRepository,
  type ProfileDecision,
  readScope,
} from '../session/index.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'
import { profileNamed } from './state/find-profile.ts'
import { asPart, listingOf, ownPaths, shown, stateAt } from './state/ground.ts'
import { FILE } from './state/report.ts'
import { agreementOf } from './state-profile/agreement.ts'
import type { StateProfileOutput } from './state-profile/output.ts'
import { rootPath } from './state-profile/root-path.ts'

/** The confidence points that the rubric subtracts for unresolved conflicts. */
const CONFLICT_POINTS = -15
/** The maximum length of lists in the output. */
const MOST_SHOWN = 20

const input = {
  type: 'object',
  properties: {
    scope: {
      type: 'array',
      items: { type: 'string' },
      path: true,
      placeholder: 'path',
      description:
        'A folder that the session works on (default: ComponentScopePaths of the state).',
    },
    profile: {
      type: 'string',
      placeholder: 'name',
      actor: 'human',
      description: 'The profile that you choose, whatever the files indicate.',
    },
    file: FILE,
  },
} as const

/** Detects the profile of a session. */
export default defineOperation({
  name: 'state profile',
  summary: 'Detect the profile of the repository and show its evidence',
  description:
    'Looks at build files, frameworks and rulebooks (rules.<profile>.md, profile.<profile>.md), first in the component ' +
    'scope, then in the folders above it, then everywhere; examples, tests and tooling count only when nothing else ' +
    'decides. Prints the YAML for the state. Exits with 1 when the profile is ambiguous or differs from the state.',
  examples: [
    { command: 'waybill state profile', does: 'show the profile and its evidence' },
    { command: 'waybill state profile --scope services/orders', does: 'look at one component' },
    { command: 'waybill state profile --profile backend-java', does: 'choose one yourself' },
    { command: 'waybill state profile --quiet', does: 'print only the YAML to paste' },
  ],
  actor: 'any',
  effect: 'read',
  input,
  run: (given, app) => profile(given, app),
  failed: ({ mode, agreement }) => mode !== null || agreement?.agrees === false,
})

async function profile(given: TypeOf<typeof input>, app: App): Promise<StateProfileOutput> {
  const named = profileNamed(given.profile)
  const state = await stateAt(app, given.file)
  const repository = openRepository(app.root, ownPaths(app, given.file))
  const said = state && statedProfile(state.value)
  // Profile names from documents are shown and pasted.
  const stated = said && { ...said, profile: shown(said.profile) }
  const { paths: scope, ignored } = readScope(
    given.scope?.map(path => rootPath(path, app)) ?? stated?.scope ?? [],
  )
  const signals = gatherSignals(repository, scope)
  const decision = decideProfile({ signals, scope, named, stated })
  const early = stated?.discovered === false
  const unknown = decision.source === 'ambiguous' || (!decision.profile && stated?.needed === true)
  const blocked = unknown && !early
  const few = <T>(list: readonly T[]) => list.slice(0, MOST_SHOWN)
  const open = decision.conflicts.some(({ resolvedBy }) => resolvedBy === null)
  const agreement = stated ? agreementOf(decision, stated) : null
  return {
    state: state ? shown(state.path) : null,
    listing: listingOf(repository),
    scope: scope.map(path => shown(path || '.')),
    ignored: ignored.map(({ path, why }) => ({ path: shown(path), why })),
    profile: decision.profile,
    source: decision.source,
    evidence: shown(decision.evidence),
    rulebook: decision.rulebook && shown(decision.rulebook),
    candidates: few(decision.candidates).map(candidate => ({
      profile: candidate.profile,
      signals: few(candidate.signals).map(({ path, system, frameworks }) => ({
        path: shown(path),
        system,
        frameworks,
      })),
      more: Math.max(0, candidate.signals.length - MOST_SHOWN),
      rulebooks: few(candidate.rulebooks).map(shown),
    })),
    conflicts: few(decision.conflicts).map(conflict => ({
      ...conflict,
      paths: few(conflict.paths).map(shown),
    })),
    conflictPoints: open ? CONFLICT_POINTS : 0,
    unread: few(signals.unread).map(({ path, why }) => ({ path: shown(path), why })),
    mode: blocked ? 'BLOCKED' : null,
    decides: decision.decides,
    agreement,
    yaml: asPart(
      early ? deferred(decision) : partOf(decision, blocked, given.scope && scope),
      state,
    ),
  }
}

/** Before discovery is complete the state names no profile, but keeps its evidence. */
function deferred({ evidence }: ProfileDecision): Record<string, Json> {
  return { ActiveProfile: '', ProfileSource: 'deferred', ProfileEvidence: shown(evidence) }
}

/** A deciding scope is added to the state as a proposal; only a person can confirm it. */
function scopePart(scope: readonly string[]): Record<string, Json> {
  return {
    ComponentScopePaths: scope.map(path => shown(path || '.')),
    ComponentScopeSource: 'assistant-proposed',
    ComponentScopeEvidence: 'given to waybill state profile as --scope',
  }
}

/** Returns the YAML for the state; a blocked session also names the missing input and the pending decision. */
function partOf(
  decision: ProfileDecision,
  blocked: boolean,
  scope: readonly string[] | undefined,
): Record<string, Json> {
  const { profile, source, evidence, decides, candidates } = decision
  const fields = {
    ActiveProfile: profile,
    ProfileSource: source,
    ProfileEvidence: shown(evidence),
  }
  if (!blocked)
    return { ...fields, ...(scope && source.startsWith('component-') && scopePart(scope)) }
  const names = candidates.slice(0, 5).map(candidate => candidate.profile)
  return {
    Mode: 'BLOCKED',
    Next: `BLOCKED-ActiveProfile: ${names.join(' or ') || 'name the profile'}`,
    ...fields,
    DecisionSurface: {
      MustDecideNow: [decides ?? 'the profile'],
      CanDefer: [],
      AutoDecidedBySystem: [],
    },
  }
}
