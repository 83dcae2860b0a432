import { counted, listed } from '../contract/index.ts'
import type { StatedProfile } from '../contracts/index.ts'
import { type Candidate, candidatesOf, rulebooksOf, signalsAbove } from './repository-candidates.ts'
import { isWithin } from './repository-files.ts'
import { evidenceOf, type Rulebook, type Signals } from './repository-signals.ts'

/** How a profile was found, as a session state names it. */
export type ProfileSource =
  | 'user-explicit'
  | 'auto-detected-single'
  | 'repo-fallback'
  | 'deferred'
  | 'component-scope-inferred'
  | 'component-scope-filtered'
  | 'ambiguous'

/** The evidence of a profile that only its choice supports. */
export const CHOSEN = 'chosen by the user'

/** Contradicting signals, and what resolved them. */
export interface Conflict {
  readonly about: string
  readonly paths: readonly string[]
  readonly resolvedBy: string | null
}

/** The detected or chosen profile. */
export interface ProfileDecision {
  /** Empty if unknown. */
  readonly profile: string
  readonly source: ProfileSource
  /** The files that support it, in one line. */
  readonly evidence: string
  readonly rulebook: string | null
  /** The profiles left to choose from. */
  readonly candidates: readonly Candidate[]
  readonly conflicts: readonly Conflict[]
  /** The input that would decide an unknown profile. */
  readonly decides: string | null
}

/** The inputs of the decision. */
export interface ProfileBasis {
  readonly signals: Signals
  readonly scope: readonly string[]
  /** The profile named by the caller. */
  readonly named?: string | undefined
  readonly stated?: StatedProfile | undefined
}

/** Decides the profile of a session; a user's choice overrides the files. */
export function decideProfile(basis: ProfileBasis): ProfileDecision {
  const detected = detect(basis)
  const { named, stated } = basis
  const chosen = named ?? (stated?.source === 'user-explicit' ? stated.profile : '')
  const decided = chosen ? choose(chosen, detected, basis) : detected
  const { source, scoped, candidates } = decided
  const considered = scoped ? basis.scope : ['']
  const conflicts = [
    ...conflictOfProfiles(decided),
    ...basis.signals.rivals
      .filter(({ folder }) => considered.some(s => isWithin(folder, s) || isWithin(s, folder)))
      .map(({ paths }) => ({
        about: `one folder has ${counted(paths.length, 'build system')}`,
        paths,
        resolvedBy: null,
      })),
  ]
  const rulebook = rulebooksOf(decided.profile, basis.signals.rulebooks)[0] ?? null
  return {
    profile: decided.profile,
    source,
    evidence: evidenceLine(decided, rulebook) || (chosen ? CHOSEN : ''),
    rulebook,
    candidates,
    conflicts,
    decides: whatDecides(decided, basis.scope),
  }
}

interface Detected {
  readonly profile: string
  readonly source: ProfileSource
  readonly candidates: readonly Candidate[]
  /** Candidates that the scope excluded. */
  readonly leftOut: readonly Candidate[]
  /** Whether the scope affected the decision. */
  readonly scoped: boolean
}

/** Looks in the scope first, then in the folders above it, and finally in the whole repository. */
function detect({ signals: { signals, rulebooks }, scope }: ProfileBasis): Detected {
  const whole = candidatesOf(signals, rulebooks)
  const everywhere = settle(whole.found, whole.clear, rulebooks)
  // Without alternatives, the scope decides nothing.
  if (scope.length === 0 || whole.found.length === 0) return everywhere
  const inside = signals.filter(({ path }) => scope.some(s => isWithin(path, s)))
  const filtered = candidatesOf(inside, rulebooks, scope)
  if (filtered.found.length > 0) return narrowed('component-scope-filtered', filtered.found, whole)
  const above = candidatesOf(signalsAbove(signals, scope), rulebooks, scope)
  if (above.found.length > 0) return narrowed('component-scope-inferred', above.found, whole)
  return everywhere
}

function narrowed(
  source: ProfileSource,
  found: readonly Candidate[],
  whole: { readonly found: readonly Candidate[]; readonly clear: boolean },
): Detected {
  const [only] = found
  const leftOut = whole.found.filter(({ profile }) => found.every(c => c.profile !== profile))
  if (!only || found.length > 1) return { ...UNCLEAR, candidates: found, leftOut, scoped: true }
  const same = leftOut.length === 0 && whole.clear
  const how = same ? 'auto-detected-single' : source
  return { profile: only.profile, source: how, candidates: found, leftOut, scoped: true }
}

const UNCLEAR = { profile: '', source: 'ambiguous' } as const

function settle(
  found: readonly Candidate[],
  clear: boolean,
  rulebooks: readonly Rulebook[],
): Detected {
  const rest = { leftOut: [], scoped: false }
  const candidates = found.length > 0 ? found : fromRulebooks(rulebooks)
  const [only] = candidates
  if (!only) return { profile: '', source: 'deferred', candidates, ...rest }
  if (candidates.length > 1) return { ...UNCLEAR, candidates, ...rest }
  const source = clear ? 'auto-detected-single' : 'repo-fallback'
  return { profile: only.profile, source, candidates, ...rest }
}

/** Without manifests, the rulebooks are the candidates. */
function fromRulebooks(rulebooks: readonly Rulebook[]): Candidate[] {
  const profiles = [...new Set(rulebooks.map(({ profile }) => profile))].sort()
  return profiles.map(profile => ({
    profile,
    signals: [],
    rulebooks: rulebooksOf(profile, rulebooks),
  }))
}

function choose(profile: string, detected: Detected, { signals }: ProfileBasis): Detected {
  const all = candidatesOf(signals.signals, signals.rulebooks).found
  const own = [...detected.candidates, ...all].find(c => c.profile === profile)
  const rulebooks = rulebooksOf(profile, signals.rulebooks)
  return {
    profile,
    source: 'user-explicit',
    candidates: [own ?? { profile, signals: [], rulebooks }],
    leftOut: detected.candidates.filter(c => c.profile !== profile),
    scoped: detected.scoped,
  }
}

const BY: Partial<Record<ProfileSource, string>> = {
  'user-explicit': 'the choice of the user',
  'component-scope-filtered': 'the component scope',
  'component-scope-inferred': 'the component scope',
}

/** Conflicting profiles: those left, and those excluded by a choice or a scope. */
function conflictOfProfiles({ source, candidates, leftOut }: Detected): Conflict[] {
  const spoken = [...candidates, ...leftOut].filter(({ signals }) => signals.length > 0)
  const contradicted = source === 'ambiguous' ? spoken.length > 1 : leftOut.length > 0
  if (!contradicted || spoken.length === 0) return []
  return [
    {
      about: `files indicate ${listed(spoken.map(({ profile }) => profile))}`,
      paths: spoken.flatMap(({ signals }) => signals.slice(0, 1).map(({ path }) => path)),
      resolvedBy: BY[source] ?? null,
    },
  ]
}

const MOST_SHOWN = 4

function evidenceLine({ candidates, profile }: Detected, rulebook: string | null): string {
  const shown = profile ? MOST_SHOWN : 2
  const files = candidates.flatMap(({ signals }) => signals.slice(0, shown).map(evidenceOf))
  const books = candidates.flatMap(c => (c.signals.length > 0 ? [] : c.rulebooks.slice(0, 1)))
  const first = rulebook !== null && profile ? [rulebook] : []
  return [...new Set([...first, ...files, ...books])].slice(0, 2 * MOST_SHOWN).join(', ')
}

function whatDecides({ source, candidates }: Detected, scope: readonly string[]): string | null {
  if (source === 'deferred')
    return 'the name of the profile: nothing in the repository indicates it'
  if (source !== 'ambiguous') return null
  const names = listed(
    candidates.slice(0, 5).map(({ profile }) => profile),
    'or',
  )
  const narrower = scope.length > 0 ? 'a narrower component scope' : 'the component scope'
  return `the profile of the session: ${names}; or ${narrower}`
}
