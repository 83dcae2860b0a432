import Type from 'typebox'
import {
  Anything,
  Choice,
  Entries,
  Flag,
  FlagOrUnknown,
  Maybe,
  Part,
  Text,
  Texts,
} from '../../state-shapes.ts'

/** A month and day; 29 February is allowed in every year. */
const DAY_OF_YEAR =
  '((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|[12][0-9]))'

/** Section 7.x. */
export const RepoCacheFile = Part(
  {
    SourcePath: Text('The path from which the cache is read.'),
    TargetPath: Text('The path to which the cache is written.'),
    Loaded: Flag('Whether the cache was read.'),
    Valid: Flag('Whether the cache is valid.'),
    InvalidationReason: Text('Why the cache is invalid.'),
    GitHead: Text('The commit that the cache describes, or unknown.'),
    RepoSignature: Text('The signature of the repository that the cache describes, or unknown.'),
    GitHeadMatch: FlagOrUnknown('Whether that commit is the current one.'),
    RepoSignatureMatch: FlagOrUnknown('Whether that signature is the current one.'),
    LastUpdated: Maybe(
      Type.String({
        pattern: `^(unknown|[0-9]{4}-${DAY_OF_YEAR})(?![\\s\\S])`,
        description: 'The day on which the cache was written, or unknown.',
        examples: ['2026-04-14'],
      }),
    ),
    FileStatus: Choice(
      ['written', 'write-requested', 'not-applicable'],
      'Whether the cache was written after discovery.',
    ),
  },
  'The cache of discovery.',
)

/** Section 7.1. */
export const RepoMapDigest = Part(
  {
    Modules: Anything('The parts of the repository.'),
    Boundaries: Anything('Boundaries between the parts.'),
    EntryPoints: Anything('The entry points.'),
    DataStores: Anything('Where data is kept.'),
    IntegrationPoints: Anything('External systems.'),
    BuildAndTooling: Anything('Build and tooling.'),
    Testing: Anything('Tests and test tools.'),
    ConventionsDigest: Texts('Conventions of the repository, each with its evidence.'),
    ArchitecturalInvariants: Anything('Architectural invariants.'),
    Hotspots: Anything('Places where changes are risky.'),
  },
  'What discovery found in the repository.',
)

/** Section 7.3. */
export const TouchedSurface = Part(
  {
    FilesPlanned: Entries('Files that the plan changes.'),
    ContractsPlanned: Entries('Contracts that the plan changes.'),
    SchemaPlanned: Entries('Schemas that the plan changes.'),
    SecuritySensitive: Flag('Whether the change affects security.'),
  },
  'What the plan changes.',
)

/** Section 7.3.a. */
export const FastPathEvaluation = Part(
  {
    Evaluated: Flag('Whether the fast path was considered.'),
    Eligible: Flag('Whether the fast path is safe.'),
    Applied: Flag('Whether the fast path was taken.'),
    Reason: Text('The reason, with evidence.'),
    Preconditions: Maybe(
      Part(
        {
          RepoMapDigestLoaded: Flag('Whether the digest was read.'),
          PersistedGitHead: Text('The commit that the cache describes, or unknown.'),
          CurrentGitHead: Text('The current commit, or unknown.'),
          GitHeadMatch: FlagOrUnknown('Whether the two commits are the same.'),
          PersistedRepoSignature: Text('The signature that the cache describes, or unknown.'),
          CurrentRepoSignature: Text('The current signature, or unknown.'),
          RepoSignatureMatch: FlagOrUnknown('Whether the two signatures are the same.'),
          TicketRiskClass: Choice(['low', 'medium', 'high', 'unknown'], 'The risk of the ticket.'),
        },
        'The basis of the decision.',
      ),
    ),
    DenyReasons: Texts('Why the fast path is not safe.'),
    ReducedDiscoveryScope: Maybe(
      Part(
        {
          PathsScanned: Texts('Paths that were still scanned.'),
          Skipped: Texts('What was skipped on purpose.'),
        },
        'The reduced scope of discovery.',
      ),
    ),
    EvidenceRefs: Texts('Paths and commands that support the decision.'),
  },
  'Whether the fast path is safe, and whether it was taken.',
)
