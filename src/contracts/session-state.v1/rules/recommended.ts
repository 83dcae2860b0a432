import { type Finding, listed, type Rule } from '../../../contract/index.ts'
import type { Path } from '../../../document/index.ts'
import { valuesAt } from '../../times.ts'
import type { SessionState } from '../schema.ts'

const LIST = 'a list, [] for none'
const FLAG = 'true or false'
const FLAG_OR_UNKNOWN = 'true, false or unknown'
const RISK = 'low, medium or high'
const ANYTHING = 'a text or a list, such as unknown'
const TEXT = 'a text, such as none or unknown'

/** The recommended keys of each structure and the form of their values; optional and conditional keys are left out. */
const RECOMMENDED: readonly (readonly [pointer: string, keys: Readonly<Record<string, string>>])[] =
  [
    [
      '/RepoCacheFile',
      {
        SourcePath: TEXT,
        TargetPath: TEXT,
        Loaded: FLAG,
        Valid: FLAG,
        InvalidationReason: TEXT,
        GitHead: TEXT,
        RepoSignature: TEXT,
        GitHeadMatch: FLAG_OR_UNKNOWN,
        RepoSignatureMatch: FLAG_OR_UNKNOWN,
        LastUpdated: 'a day such as 2026-04-14, or unknown',
        FileStatus: 'written, write-requested or not-applicable',
      },
    ],
    [
      '/TouchedSurface',
      { FilesPlanned: LIST, ContractsPlanned: LIST, SchemaPlanned: LIST, SecuritySensitive: FLAG },
    ],
    [
      '/FastPathEvaluation',
      {
        Evaluated: FLAG,
        Eligible: FLAG,
        Applied: FLAG,
        Reason: TEXT,
        Preconditions: 'an object, {} at first',
        EvidenceRefs: LIST,
      },
    ],
    [
      '/FastPathEvaluation/Preconditions',
      {
        RepoMapDigestLoaded: FLAG,
        PersistedGitHead: TEXT,
        CurrentGitHead: TEXT,
        GitHeadMatch: FLAG_OR_UNKNOWN,
        PersistedRepoSignature: TEXT,
        CurrentRepoSignature: TEXT,
        RepoSignatureMatch: FLAG_OR_UNKNOWN,
        TicketRiskClass: 'low, medium, high or unknown',
      },
    ],
    ['/FastPathEvaluation/ReducedDiscoveryScope', { PathsScanned: LIST, Skipped: LIST }],
    ['/DependencyChanges', { Added: LIST, Updated: LIST, Removed: LIST }],
    [
      '/DependencyChanges/Added/*',
      { name: TEXT, version: TEXT, justification: TEXT, securityNotes: TEXT, risk: RISK },
    ],
    [
      '/DependencyChanges/Updated/*',
      { name: TEXT, from: TEXT, to: TEXT, reason: TEXT, securityNotes: TEXT, risk: RISK },
    ],
    ['/DependencyChanges/Removed/*', { name: TEXT, version: TEXT, reason: TEXT }],
    [
      '/ArchitectureDecisions/*',
      {
        ID: TEXT,
        Context: LIST,
        Decision: LIST,
        AlternativesRejected: LIST,
        Consequences: LIST,
        EvidenceRefs: LIST,
        Status: 'proposed or approved',
      },
    ],
    [
      '/RollbackStrategy',
      {
        Type: 'feature-flag, blue-green, canary, hotfix or none',
        Steps: LIST,
        DataMigrationReversible: FLAG,
        Risk: RISK,
      },
    ],
    // Without consumers, other repositories need no change.
    ['/CrossRepoImpact', { AffectedServices: LIST }],
    [
      '/CrossRepoImpact/AffectedServices/*',
      {
        name: TEXT,
        repository: TEXT,
        impactType: 'contract-change, api-version or event-schema',
        breakingChange: FLAG,
      },
    ],
    ['/CrossRepoImpact/RequiredSyncPRs/*', { repository: TEXT, notes: TEXT }],
    ['/StateCompression', { Applied: FLAG, Compressed: LIST }],
    ['/StateCompression/Compressed/*', { Phases: LIST, Summary: TEXT, Preserved: LIST }],
    [
      '/DecisionPack/*',
      {
        id: TEXT,
        decision: TEXT,
        options: ANYTHING,
        recommendation: ANYTHING,
        evidence: ANYTHING,
        what_changes_it: ANYTHING,
      },
    ],
    ['/BuildEvidence', { notes: TEXT }],
    // Output and reports do not exist for every command.
    [
      '/BuildEvidence/items/*',
      { tool: TEXT, command: TEXT, result: 'pass, fail or unknown', scope: TEXT, summary: TEXT },
    ],
  ]

/** The same with the key of the state that each pointer begins with. */
const PARTS = RECOMMENDED.map(([pointer, keys]) => ({
  part: pointer.split('/', 2)[1] ?? '',
  pointer,
  keys,
  names: Object.keys(keys),
}))

/** The rule that a part of the state has its recommended keys. */
export const recommendedKeys: Rule<SessionState> = {
  severity: 'warning',
  summary: 'A part of the state has its recommended keys.',
  why: 'A reader cannot tell whether a missing key was considered.',
  reads: [...new Set(PARTS.map(({ part }) => `/${part}`))],
  *check(state): Iterable<Finding> {
    for (const { part, pointer, keys, names } of PARTS) {
      // Skip missing parts first, since following a pointer allocates.
      if (!Object.hasOwn(state, part)) continue
      for (const place of valuesAt(state, pointer)) {
        const { value } = place
        if (typeof value !== 'object' || value === null) continue
        const missing = names.filter(key => !Object.hasOwn(value, key))
        if (missing.length === 0) continue
        const { path } = place
        yield {
          path,
          ...(typeof path.at(-1) === 'string' ? { atKey: true } : {}),
          message: `${nameOf(path)} lacks ${listed(missing)}`,
          hint: `add what is known: ${whatTheyTake(missing, keys)}`,
        }
      }
    }
  },
}

/** `A and B take a list, [] for none; C takes true or false`. */
function whatTheyTake(missing: readonly string[], keys: Readonly<Record<string, string>>): string {
  const forms = new Set(missing.map(key => keys[key]))
  const clauses = [...forms].map(form => {
    const names = missing.filter(key => keys[key] === form)
    return `${listed(names)} ${names.length === 1 ? 'takes' : 'take'} ${form}`
  })
  return clauses.join('; ')
}

function nameOf(path: Path): string {
  const last = path.at(-1)
  return typeof last === 'number' ? `entry ${last + 1} of ${path.at(-2)}` : String(last)
}
