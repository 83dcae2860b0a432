import { ENOUGH } from './confidence-scale.ts'
import { phaseOf } from './phases.ts'
import type { SessionState } from './schema.ts'

/** The keys of sections 6, 7 to 14 and 16 that only some states have; any of them makes a state FULL. */
export const FULL_KEYS = [
  'ComponentScopePaths',
  'ComponentScopeSource',
  'ComponentScopeEvidence',
  'RepoMapDigest',
  'RepoModel',
  'DecisionDrivers',
  'WorkingSet',
  'TouchedSurface',
  'RepoCacheFile',
  'FastPath',
  'FastPathReason',
  'FastPathEvaluation',
  'DependencyChanges',
  'GateArtifacts',
  'ArchitectureDecisions',
  'RollbackStrategy',
  'CrossRepoImpact',
  'StateCompression',
  'OutputMode',
  'DecisionSurface',
  'DecisionPack',
  'BuildEvidence',
] as const satisfies readonly (keyof SessionState)[]

/** Whether a state is FULL; otherwise it is in the short form, MIN. */
export function isFull(state: SessionState): boolean {
  return FULL_KEYS.some(key => Object.hasOwn(state, key))
}

/** Why a state must be FULL, and the responsible part; `undefined` if MIN is enough. */
export function whyFull(
  state: SessionState,
): { readonly path: readonly string[]; readonly text: string } | undefined {
  const gate = phaseOf(state)?.gate
  if (gate) return { path: ['Phase'], text: `phase ${state.Phase} is an explicit gate` }
  if (state.Mode === 'BLOCKED') return { path: ['Mode'], text: 'the session is blocked' }
  const level = state.ConfidenceLevel
  if (level === undefined || level >= ENOUGH) return undefined
  return { path: ['ConfidenceLevel'], text: `the confidence is ${level}, below ${ENOUGH}` }
}
