import { quote, type Rules } from '../../../contract/index.ts'
import { relativePaths } from '../../paths.ts'
import { hasReached, phaseOf } from '../phases.ts'
import type { SessionState } from '../schema.ts'

const KEYS = [
  ['Mode'],
  ['ConfidenceLevel'],
  ['Next'],
  ['LoadedRulebooks', 'core'],
  ['LoadedRulebooks', 'profile'],
  ['ActiveProfile'],
  ['ProfileSource'],
  ['ProfileEvidence'],
  ['Gates'],
] as const

/** The rules about required keys, profile and rulebooks. */
export const profileRules = {
  'keys-for-phase': {
    severity: 'error',
    summary: 'After bootstrap, the state has its ten keys.',
    why: 'The next session always needs them.',
    reads: ['/Phase'],
    *check(state) {
      if (!phaseOf(state) || isBootstrap(state)) return
      for (const path of KEYS) {
        if (has(state, path)) continue
        yield {
          path,
          message: `${quote(path.join('.'))} is missing in phase ${state.Phase}`,
          hint: HINTS[path[0]] ?? 'add it, empty while unknown',
        }
      }
    },
  },
  'profile-deferred-before-discovery': {
    severity: 'error',
    summary: 'Until phase 2 is complete, `ProfileSource` is `deferred`.',
    why: 'A profile chosen before discovery is a guess.',
    reads: ['/Phase', '/ProfileSource', '/Mode'],
    *check(state) {
      const { ProfileSource } = state
      if (ProfileSource === undefined || ProfileSource === 'deferred') return
      if (!phaseOf(state) || hasReached(state, '2.1')) return
      // Section 5.2 exempts blocked sessions; a session restarted after a change of profile has finished discovery.
      if (ProfileSource === 'ambiguous' && state.Mode === 'BLOCKED') return
      if (ProfileSource === 'user-explicit' && wasDiscovered(state)) return
      yield {
        path: ['ProfileSource'],
        message: `the profile source is ${ProfileSource} in phase ${state.Phase}, before discovery is complete`,
        hint:
          ProfileSource === 'user-explicit'
            ? 'write deferred, and choose the profile in phase 1.2; if the user changed it later, keep the RepoMapDigest as proof'
            : 'write deferred, and choose the profile in phase 1.2',
      }
    },
  },
  'profile-known-after-detection': {
    severity: 'error',
    summary: 'From phase 1.5, 3A or 1.3 on, a profile is active, unless the session is blocked.',
    why: 'The rules of the profile apply from here on.',
    reads: ['/Phase', '/Mode', '/ActiveProfile', '/ProfileSource'],
    *check(state) {
      const { ActiveProfile, ProfileSource } = state
      if (state.Mode === 'BLOCKED' || !hasReached(state, '1.5')) return
      if (ActiveProfile?.trim() === '') {
        yield {
          path: ['ActiveProfile'],
          message: `no profile is active in phase ${state.Phase}`,
          hint: 'name the profile, or block the session until it is known',
        }
      }
      if (ProfileSource === 'deferred') {
        yield {
          path: ['ProfileSource'],
          message: `the profile is still deferred in phase ${state.Phase}`,
          hint: 'state how it was found, or block the session until it is known',
        }
      }
    },
  },
  'ambiguous-only-when-blocked': {
    severity: 'error',
    summary: 'The profile source is `ambiguous` only while the session is blocked.',
    why: 'With several possible profiles, the session might follow the wrong rules.',
    reads: ['/Mode', '/ProfileSource'],
    *check({ Mode, ProfileSource }) {
      if (ProfileSource !== 'ambiguous' || Mode === 'BLOCKED') return
      yield {
        path: ['ProfileSource'],
        message: 'the profile is ambiguous, but the session is not blocked',
        hint: 'set the mode to BLOCKED, and ask after BLOCKED- which profile applies',
      }
    },
  },
  'core-rulebook-loaded': {
    severity: 'error',
    summary: 'From phase 4 on, the core rulebook is loaded, or the session is blocked.',
    why: 'The plan and the gates follow this rulebook.',
    reads: ['/Phase', '/Mode', '/LoadedRulebooks/core'],
    *check(state) {
      if (!hasReached(state, '4') || state.Mode === 'BLOCKED') return
      if (state.LoadedRulebooks?.core?.trim() !== '') return
      yield {
        path: ['LoadedRulebooks', 'core'],
        message: `the core rulebook is not loaded in phase ${state.Phase}`,
        hint: 'load it and write its path, or block the session',
      }
    },
  },
  'profile-rulebook-loaded': {
    severity: 'error',
    summary: 'From phase 5 on, the rulebook of the profile is loaded, or the session is blocked.',
    why: 'From here on, gates and code are checked against the rules of the profile.',
    reads: ['/Phase', '/Mode', '/LoadedRulebooks/profile'],
    *check(state) {
      if (!hasReached(state, '5') || state.Mode === 'BLOCKED') return
      if (state.LoadedRulebooks?.profile?.trim() !== '') return
      yield {
        path: ['LoadedRulebooks', 'profile'],
        message: `the rulebook of the profile is not loaded in phase ${state.Phase}`,
        hint: 'load it and write its path, or block the session',
      }
    },
  },
  'profile-has-evidence': {
    severity: 'warning',
    summary: 'A detected profile has its evidence in `ProfileEvidence`.',
    why: 'Without the evidence, a wrong profile goes unnoticed.',
    reads: ['/ActiveProfile', '/ProfileSource', '/ProfileEvidence'],
    *check({ ActiveProfile = '', ProfileSource, ProfileEvidence }) {
      if (ActiveProfile.trim() === '' || ProfileSource === 'deferred') return
      if (ProfileEvidence?.trim() !== '') return
      yield {
        path: ['ProfileEvidence'],
        message: `the profile ${quote(ActiveProfile)} has no evidence`,
        hint: 'name the files that indicate it, such as pom.xml, or the person who chose it',
      }
    },
  },
  'scope-is-stated': {
    severity: 'warning',
    summary:
      'If the profile comes from a component scope, or a scope has a source or evidence, its paths are stated.',
    why: 'A scope without paths cannot be applied.',
    reads: [
      '/ProfileSource',
      '/ComponentScopePaths',
      '/ComponentScopeSource',
      '/ComponentScopeEvidence',
    ],
    *check({ ProfileSource, ComponentScopePaths = [], ...state }) {
      if (ComponentScopePaths.some(path => path.trim() !== '')) return
      const scoped = ProfileSource?.startsWith('component-scope-') ?? false
      if (!scoped && state.ComponentScopeSource === undefined && !state.ComponentScopeEvidence)
        return
      yield {
        path: ['ComponentScopePaths'],
        message: `${scoped ? `the profile source is ${ProfileSource}` : 'a component scope is explained'}, but its paths are not stated`,
        hint: 'add ComponentScopePaths with the folders of the component, such as services/orders',
      }
    },
  },
  'scope-is-explained': {
    severity: 'warning',
    summary: 'A component scope has a source and evidence.',
    why: 'The scope decides what discovery examines; without a reason, a mistake goes unnoticed.',
    reads: ['/ComponentScopePaths', '/ComponentScopeSource', '/ComponentScopeEvidence'],
    *check({ ComponentScopePaths = [], ComponentScopeSource, ComponentScopeEvidence }) {
      if (ComponentScopePaths.length === 0) return
      if (ComponentScopeSource === undefined) {
        yield {
          path: ['ComponentScopeSource'],
          message: 'the component scope has no source',
          hint: 'add ComponentScopeSource: user-explicit or assistant-proposed',
        }
      }
      if (!ComponentScopeEvidence) {
        yield {
          path: ['ComponentScopeEvidence'],
          message: 'the component scope has no evidence',
          hint: 'add ComponentScopeEvidence with the files or statements that justify it',
        }
      }
    },
  },
  'relative-paths': relativePaths(
    '/ComponentScopePaths/*',
    '/WorkingSet/*/path',
    '/FastPathEvaluation/ReducedDiscoveryScope/PathsScanned/*',
  ),
} satisfies Rules<SessionState>

const HINTS: Partial<Record<string, string>> = {
  Mode: 'add it: NORMAL, DEGRADED, DRAFT or BLOCKED',
  ConfidenceLevel: 'add it: a whole number from 0 to 100',
  Next: 'add it: Phase<phase>-<text>, BLOCKED-<reason> or PR-Ready',
  ProfileSource: 'add it: deferred while the profile is unknown',
  Gates: 'add the six gates, pending until they decide',
}

const isBootstrap = (state: SessionState) => !hasReached(state, '2')

const wasDiscovered = ({ RepoMapDigest, RepoModel }: SessionState) =>
  RepoMapDigest !== undefined || RepoModel !== undefined

function has(state: SessionState, path: readonly string[]): boolean {
  let value: unknown = state
  for (const key of path) {
    // A value that is not an object has a structural error.
    if (typeof value !== 'object' || value === null) return true
    if (!Object.hasOwn(value, key)) return false
    value = (value as Record<string, unknown>)[key]
  }
  return true
}
