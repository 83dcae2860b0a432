import type { Fields } from '../../contract/index.ts'
import { hasReached } from './phases.ts'
import type { SessionState } from './schema.ts'
import { namesPath, someText } from './working-set.ts'

/** The profile that a state states, and the progress of its session. */
export interface StatedProfile {
  /** Empty while no profile is active. */
  readonly profile: string
  readonly source: string | undefined
  readonly scope: readonly string[]
  readonly blocked: boolean
  /** Whether a profile may be chosen: discovery is complete. */
  readonly discovered: boolean
  /** Whether a profile must be known: the phase after its detection is reached. */
  readonly needed: boolean
}

/** Reads the profile of a structurally valid state. */
export function statedProfile(sound: Fields): StatedProfile {
  // Published types must not refer to the schema's, which need TypeBox.
  const state = sound as SessionState
  return {
    profile: state.ActiveProfile?.trim() ?? '',
    source: state.ProfileSource,
    scope: state.ComponentScopePaths ?? [],
    blocked: state.Mode === 'BLOCKED',
    discovered: hasReached(state, '2.1'),
    needed: hasReached(state, '1.5'),
  }
}

/** Cache, digest and fast path as a state records them, with what affects the fast path. */
export interface StatedShortcuts {
  /** The path of the cache. */
  readonly cachePath: string | undefined
  readonly digest: boolean
  readonly applied: boolean
  readonly reducedScope:
    | { readonly PathsScanned?: readonly string[]; readonly Skipped?: readonly string[] }
    | undefined
  readonly confidence: number | undefined
  readonly blocked: boolean
  readonly discovered: boolean
}

/** Reads the shortcuts through discovery of a structurally valid state. */
export function statedShortcuts(sound: Fields): StatedShortcuts {
  const state = sound as SessionState
  const { FastPathEvaluation = {}, RepoCacheFile = {} } = state
  return {
    cachePath: RepoCacheFile.SourcePath,
    digest: someText(state.RepoMapDigest ?? state.RepoModel, namesPath),
    applied: FastPathEvaluation.Applied === true,
    reducedScope: FastPathEvaluation.ReducedDiscoveryScope,
    confidence: state.ConfidenceLevel,
    blocked: state.Mode === 'BLOCKED',
    discovered: hasReached(state, '2.1'),
  }
}
