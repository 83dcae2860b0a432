import { type Finding, listed, type Rule } from '../../../contract/index.ts'
import type { Path } from '../../../document/index.ts'
import { valuesAt } from '../../times.ts'
import type { SessionState } from '../schema.ts'

/** The keys of the structures that the page recommends; what it calls optional or conditional is left out. */
const RECOMMENDED: readonly (readonly [pointer: string, keys: readonly string[]])[] = [
  [
    '/RepoCacheFile',
    [
      'SourcePath',
      'TargetPath',
      'Loaded',
      'Valid',
      'InvalidationReason',
      'GitHead',
      'RepoSignature',
      'GitHeadMatch',
      'RepoSignatureMatch',
      'LastUpdated',
      'FileStatus',
    ],
  ],
  ['/TouchedSurface', ['FilesPlanned', 'ContractsPlanned', 'SchemaPlanned', 'SecuritySensitive']],
  [
    '/FastPathEvaluation',
    ['Evaluated', 'Eligible', 'Applied', 'Reason', 'Preconditions', 'EvidenceRefs'],
  ],
  [
    '/FastPathEvaluation/Preconditions',
    [
      'RepoMapDigestLoaded',
      'PersistedGitHead',
      'CurrentGitHead',
      'GitHeadMatch',
      'PersistedRepoSignature',
      'CurrentRepoSignature',
      'RepoSignatureMatch',
      'TicketRiskClass',
    ],
  ],
  ['/FastPathEvaluation/ReducedDiscoveryScope', ['PathsScanned', 'Skipped']],
  ['/DependencyChanges', ['Added', 'Updated', 'Removed']],
  ['/DependencyChanges/Added/*', ['name', 'version', 'justification', 'securityNotes', 'risk']],
  ['/DependencyChanges/Updated/*', ['name', 'from', 'to', 'reason', 'securityNotes', 'risk']],
  ['/DependencyChanges/Removed/*', ['name', 'version', 'reason']],
  [
    '/ArchitectureDecisions/*',
    ['ID', 'Context', 'Decision', 'AlternativesRejected', 'Consequences', 'EvidenceRefs', 'Status'],
  ],
  ['/RollbackStrategy', ['Type', 'Steps', 'DataMigrationReversible', 'Risk']],
  // Without consumers there is nothing to ask of other repositories.
  ['/CrossRepoImpact', ['AffectedServices']],
  ['/CrossRepoImpact/AffectedServices/*', ['name', 'repository', 'impactType', 'breakingChange']],
  ['/CrossRepoImpact/RequiredSyncPRs/*', ['repository', 'notes']],
  ['/StateCompression', ['Applied', 'Compressed']],
  ['/StateCompression/Compressed/*', ['Phases', 'Summary', 'Preserved']],
  [
    '/DecisionPack/*',
    ['id', 'decision', 'options', 'recommendation', 'evidence', 'what_changes_it'],
  ],
  ['/BuildEvidence', ['notes']],
  // Output and reports are not there for every command.
  ['/BuildEvidence/items/*', ['tool', 'command', 'result', 'scope', 'summary']],
]

/** The same with the key of the state that each pointer begins with. */
const PARTS = RECOMMENDED.map(([pointer, keys]) => ({
  part: pointer.split('/', 2)[1] ?? '',
  pointer,
  keys,
}))

/** The rule that a part of the state has the keys that the page recommends for it. */
export const recommendedKeys: Rule<SessionState> = {
  severity: 'warning',
  summary: 'A part of the state has the keys that are recommended for it.',
  why: 'A reader who knows the shape misses what is left out, and cannot tell whether it was considered.',
  reads: [...new Set(PARTS.map(({ part }) => `/${part}`))],
  *check(state): Iterable<Finding> {
    for (const { part, pointer, keys } of PARTS) {
      // Most parts are not there, and following a pointer makes a list for each step.
      if (!Object.hasOwn(state, part)) continue
      for (const { path, value } of valuesAt(state, pointer)) {
        if (typeof value !== 'object' || value === null) continue
        const missing = keys.filter(key => !Object.hasOwn(value, key))
        if (missing.length === 0) continue
        yield {
          path,
          ...(typeof path.at(-1) === 'string' ? { atKey: true } : {}),
          message: `${nameOf(path)} lacks ${listed(missing)}`,
          hint: 'add what is known; write none or unknown where that is the answer',
        }
      }
    }
  },
}

function nameOf(path: Path): string {
  const last = path.at(-1)
  return typeof last === 'number' ? `entry ${last + 1} of ${path.at(-2)}` : String(last)
}
