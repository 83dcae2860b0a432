import type { SessionState } from './schema.ts'

/** The keys of sections 6, 7 to 14 and 16, beside those that every state has; one of them makes a state FULL. */
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

/** Whether a state is written in full; else it is the short form, MIN. */
export function isFull(state: SessionState): boolean {
  return FULL_KEYS.some(key => Object.hasOwn(state, key))
}
