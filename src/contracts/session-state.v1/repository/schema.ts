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

/** A month and one of its days; the 29th of February is one of every year. */
const DAY_OF_YEAR =
  '((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|[12][0-9]))'

/** The shape of section 7.x. */
export const RepoCacheFile = Part(
  {
    SourcePath: Text('Where the cache is read.'),
    TargetPath: Text('Where the cache is written.'),
    Loaded: Flag('Whether the cache was read.'),
    Valid: Flag('Whether the cache may be relied on.'),
    InvalidationReason: Text('Why the cache may not be relied on.'),
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
  'The cache of what discovery found.',
)

/** The shape of section 7.1. */
export const RepoMapDigest = Part(
  {
    Modules: Anything('The parts of the repository.'),
    Boundaries: Anything('What separates the parts.'),
    EntryPoints: Anything('Where execution begins.'),
    DataStores: Anything('Where data is kept.'),
    IntegrationPoints: Anything('What the repository talks to.'),
    BuildAndTooling: Anything('How it is built.'),
    Testing: Anything('How it is tested.'),
    ConventionsDigest: Texts('Conventions of the repository, each with its evidence.'),
    ArchitecturalInvariants: Anything('What must stay true.'),
    Hotspots: Anything('Where changes are risky.'),
  },
  'What discovery found out about the repository.',
)

/** The shape of section 7.3. */
export const TouchedSurface = Part(
  {
    FilesPlanned: Entries('Files that the plan changes.'),
    ContractsPlanned: Entries('Contracts that the plan changes.'),
    SchemaPlanned: Entries('Schemas that the plan changes.'),
    SecuritySensitive: Flag('Whether the change touches security.'),
  },
  'What the plan touches.',
)

/** The shape of section 7.3.a. */
export const FastPathEvaluation = Part(
  {
    Evaluated: Flag('Whether the fast path was considered.'),
    Eligible: Flag('Whether the fast path is safe.'),
    Applied: Flag('Whether the fast path was taken.'),
    Reason: Text('Why, with the evidence.'),
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
          TicketRiskClass: Choice(
            ['low', 'medium', 'high', 'unknown'],
            'How much can go wrong with the ticket.',
          ),
        },
        'What the decision was based on.',
      ),
    ),
    DenyReasons: Texts('Why the fast path is not safe.'),
    ReducedDiscoveryScope: Maybe(
      Part(
        {
          PathsScanned: Texts('What was still looked at.'),
          Skipped: Texts('What was left out on purpose.'),
        },
        'What discovery was reduced to.',
      ),
    ),
    EvidenceRefs: Texts('Paths and commands that the decision rests on.'),
  },
  'Whether the fast path is safe, and whether it was taken.',
)
