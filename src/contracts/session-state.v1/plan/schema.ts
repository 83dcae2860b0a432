import Type from 'typebox'
import { Anything, Choice, Flag, List, Maybe, Part, Risk, Text, Texts } from '../../state-shapes.ts'

const packageKeys = {
  name: Text('The name of the package.'),
  securityNotes: Text('Known weaknesses and licence notes, or none.'),
  risk: Risk('The risk of the change.'),
}

/** Section 7.4. */
export const DependencyChanges = Part(
  {
    Added: List(
      Part(
        {
          ...packageKeys,
          version: Text('The version.'),
          justification: Text('Why it is needed.'),
        },
        'A new dependency.',
      ),
      'New dependencies.',
    ),
    Updated: List(
      Part(
        {
          ...packageKeys,
          from: Text('The old version.'),
          to: Text('The new version.'),
          reason: Text('The reason for the change.'),
        },
        'A changed dependency.',
      ),
      'Updated dependencies.',
    ),
    Removed: List(
      Part(
        {
          name: Text('The name of the package.'),
          version: Text('The removed version.'),
          reason: Text('The reason for the removal.'),
        },
        'A removed dependency.',
      ),
      'Removed dependencies.',
    ),
  },
  'Changes of dependencies.',
)

/** One entry of section 9. */
export const ArchitectureDecision = Part(
  {
    ID: Text('The id of the decision.'),
    Context: Texts('The context of the decision.'),
    Decision: Texts('The decision.'),
    AlternativesRejected: Texts('Rejected alternatives, with reasons.'),
    Consequences: Texts('Benefits and costs.'),
    EvidenceRefs: Texts('Paths and artifacts that support it.'),
    Status: Choice(['proposed', 'approved'], 'The status of the decision.'),
  },
  'An architecture decision.',
)

/** Section 10. */
export const RollbackStrategy = Part(
  {
    Type: Choice(
      ['feature-flag', 'blue-green', 'canary', 'hotfix', 'none'],
      'The type of rollback.',
    ),
    Steps: Maybe(
      Type.Array(Type.String({ minLength: 1, description: 'One step.' }), {
        description: 'Steps of a safe rollback.',
      }),
    ),
    DataMigrationReversible: Flag('Whether the data migration is reversible.'),
    Risk: Risk('The risk of the rollback.'),
  },
  'The rollback strategy.',
)

/** Section 11. */
export const CrossRepoImpact = Part(
  {
    AffectedServices: List(
      Part(
        {
          name: Text('The name of the service.'),
          repository: Text('Its repository.'),
          impactType: Choice(
            ['contract-change', 'api-version', 'event-schema'],
            'The type of impact.',
          ),
          breakingChange: Flag('Whether it breaks without a change.'),
        },
        'A consumer.',
      ),
      'Consumers of the changed contracts; an empty list states that there are none.',
    ),
    RequiredSyncPRs: List(
      Part(
        {
          repository: Text('The repository.'),
          notes: Text('The required change.'),
        },
        'A change in another repository.',
      ),
      'Changes needed in other repositories.',
    ),
  },
  'The impact on other repositories.',
)

/** Section 12.x. */
export const StateCompression = Part(
  {
    Applied: Flag('Whether earlier findings were compressed.'),
    Compressed: List(
      Part(
        {
          Phases: Maybe(
            Type.Array(Type.Unsafe<string | number>({ type: ['string', 'number'] }), {
              description: 'The compressed phases.',
            }),
          ),
          Summary: Text('A summary of the findings.'),
          Preserved: Texts('Keys that were kept.'),
        },
        'Compressed phases and their summary.',
      ),
      'The compressed parts.',
    ),
  },
  'The compression of a long session.',
)

/** Section 12. */
export const DecisionSurface = Part(
  {
    MustDecideNow: Texts('Decisions that the person must make now.'),
    CanDefer: Texts('Decisions that can wait.'),
    AutoDecidedBySystem: Texts('Decisions made without asking.'),
  },
  'Open decisions.',
)

/** One entry of section 14. */
export const Decision = Part(
  {
    id: Text('The id of the decision.'),
    decision: Text('The question.'),
    options: Anything('The possible answers.'),
    recommendation: Anything('The recommended answer.'),
    evidence: Anything('Evidence for the recommendation.'),
    what_changes_it: Anything('What would change the recommendation.'),
  },
  'A decision.',
)

/** Section 16. */
export const BuildEvidence = Part(
  {
    status: Type.Enum(['not-provided', 'partially-provided', 'provided-by-user'], {
      description: 'The status of the build evidence.',
    }),
    notes: Text('Notes on what exists and what is missing.'),
    items: List(
      Part(
        {
          tool: Text('The name of the tool.'),
          command: Text('The exact command.'),
          result: Choice(['pass', 'fail', 'unknown'], 'The result.'),
          scope: Text('The scope of the run.'),
          summary: Text('The result in one to three lines.'),
          snippet: Text('A short piece of the output.'),
          artifacts: Texts('Reports and logs.'),
        },
        'A command that was run.',
      ),
      'Commands that were run.',
    ),
  },
  'Evidence of builds and tests.',
)
