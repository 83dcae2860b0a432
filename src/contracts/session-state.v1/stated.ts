import type { Fields } from '../../contract/index.ts'
import { hasReached } from './phases.ts'
import type { SessionState } from './schema.ts'
import { namesPath, someText } from './working-set.ts'

/** What a state says of its profile, and how far its session is. */
export interface StatedProfile {
  /** Empty while none is active. */
  readonly profile: string
  readonly source: string | undefined
  readonly scope: readonly string[]
  readonly blocked: boolean
  /** Whether a profile may be chosen: discovery is complete. */
  readonly discovered: boolean
  /** Whether it has to be known: the phase after its detection is reached. */
  readonly needed: boolean
}

/** Reads what a structurally sound state says of its profile. */
export function statedProfile(sound: Fields): StatedProfile {
  // Published types cannot name the schema's, which need TypeBox.
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

/** What a state says of cache, digest and fast path, and what bears on taking it. */
export interface StatedShortcuts {
  /** Where the cache is said to be. */
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

/** Reads what a structurally sound state says of the shortcuts through discovery. */
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
