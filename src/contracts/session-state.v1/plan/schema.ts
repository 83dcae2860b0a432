import Type from 'typebox'
import { Anything, Choice, Flag, List, Maybe, Part, Risk, Text, Texts } from '../../state-shapes.ts'

const packageKeys = {
  name: Text('The package.'),
  securityNotes: Text('Known weaknesses and licence notes, or none.'),
  risk: Risk('How much the change can break.'),
}

/** The shape of section 7.4. */
export const DependencyChanges = Part(
  {
    Added: List(
      Part(
        {
          ...packageKeys,
          version: Text('The version.'),
          justification: Text('Why it is needed.'),
        },
        'One new dependency.',
      ),
      'New dependencies.',
    ),
    Updated: List(
      Part(
        {
          ...packageKeys,
          from: Text('The version before.'),
          to: Text('The version after.'),
          reason: Text('Why it changes.'),
        },
        'One changed dependency.',
      ),
      'Dependencies with another version.',
    ),
    Removed: List(
      Part(
        {
          name: Text('The package.'),
          version: Text('The version that goes.'),
          reason: Text('Why it goes.'),
        },
        'One removed dependency.',
      ),
      'Dependencies that go.',
    ),
  },
  'Which dependencies change.',
)

/** The shape of one entry of section 9. */
export const ArchitectureDecision = Part(
  {
    ID: Text('What the decision is called.'),
    Context: Texts('What changed, and why.'),
    Decision: Texts('What was chosen.'),
    AlternativesRejected: Texts('What was not chosen, and why.'),
    Consequences: Texts('What it brings, and what it costs.'),
    EvidenceRefs: Texts('Paths and artifacts that it rests on.'),
    Status: Choice(['proposed', 'approved'], 'Whether the decision stands.'),
  },
  'One architecture decision.',
)

/** The shape of section 10. */
export const RollbackStrategy = Part(
  {
    Type: Choice(
      ['feature-flag', 'blue-green', 'canary', 'hotfix', 'none'],
      'How the change is taken back.',
    ),
    Steps: Maybe(
      Type.Array(Type.String({ minLength: 1, description: 'One step.' }), {
        description: 'How to take the change back safely.',
      }),
    ),
    DataMigrationReversible: Flag('Whether migrated data can be taken back.'),
    Risk: Risk('How much can go wrong.'),
  },
  'How the change can be taken back.',
)

/** The shape of section 11. */
export const CrossRepoImpact = Part(
  {
    AffectedServices: List(
      Part(
        {
          name: Text('The service.'),
          repository: Text('Its repository.'),
          impactType: Choice(
            ['contract-change', 'api-version', 'event-schema'],
            'What changes for it.',
          ),
          breakingChange: Flag('Whether it stops working without a change.'),
        },
        'One consumer.',
      ),
      'Consumers of the changed contracts; an empty list states that there are none.',
    ),
    RequiredSyncPRs: List(
      Part(
        {
          repository: Text('The repository.'),
          notes: Text('What has to be changed there.'),
        },
        'One change elsewhere.',
      ),
      'Changes that other repositories need.',
    ),
  },
  'What the change means for other repositories.',
)

/** The shape of section 12.x. */
export const StateCompression = Part(
  {
    Applied: Flag('Whether earlier findings were shortened.'),
    Compressed: List(
      Part(
        {
          Phases: Maybe(
            Type.Array(Type.Unsafe<string | number>({ type: ['string', 'number'] }), {
              description: 'The phases that were shortened.',
            }),
          ),
          Summary: Text('What was found, in short.'),
          Preserved: Texts('Keys that were kept.'),
        },
        'What was shortened to one summary.',
      ),
      'What was shortened.',
    ),
  },
  'What was shortened in a long session.',
)

/** The shape of section 12. */
export const DecisionSurface = Part(
  {
    MustDecideNow: Texts('What the person has to decide now.'),
    CanDefer: Texts('What can wait.'),
    AutoDecidedBySystem: Texts('What was decided without asking.'),
  },
  'What there is to decide.',
)

/** The shape of one entry of section 14. */
export const Decision = Part(
  {
    id: Text('What the decision is called.'),
    decision: Text('The question.'),
    options: Anything('The possible answers.'),
    recommendation: Anything('The recommended answer.'),
    evidence: Anything('What the recommendation rests on.'),
    what_changes_it: Anything('What would lead to another answer.'),
  },
  'One decision.',
)

/** The shape of section 16. */
export const BuildEvidence = Part(
  {
    status: Type.Enum(['not-provided', 'partially-provided', 'provided-by-user'], {
      description: 'How much evidence of builds and tests there is.',
    }),
    notes: Text('What there is and what is missing.'),
    items: List(
      Part(
        {
          tool: Text('The tool.'),
          command: Text('The command as it was run.'),
          result: Choice(['pass', 'fail', 'unknown'], 'How it went.'),
          scope: Text('What it covers.'),
          summary: Text('The result in one to three lines.'),
          snippet: Text('A short piece of the output.'),
          artifacts: Texts('Reports and logs.'),
        },
        'One command that was run.',
      ),
      'Commands that were run.',
    ),
  },
  'What is known of builds and tests.',
)
