import Type, { type Static } from 'typebox'
import { Named } from '../shapes.ts'
import {
  Anything,
  Choice,
  Entries,
  Flag,
  List,
  Maybe,
  OPEN,
  Part,
  Text,
  Texts,
} from '../state-shapes.ts'
import { GATES, type GateKey, PHASES } from './phases.ts'
import {
  ArchitectureDecision,
  BuildEvidence,
  CrossRepoImpact,
  Decision,
  DecisionSurface,
  DependencyChanges,
  RollbackStrategy,
  StateCompression,
} from './plan/schema.ts'
import {
  FastPathEvaluation,
  RepoCacheFile,
  RepoMapDigest,
  TouchedSurface,
} from './repository/schema.ts'

const written = PHASES.map(phase => phase.written)

/** `Phase: 5.3` is a number in YAML, so phases that look like one may be one. */
const Phase = Type.Unsafe<string | number>({
  enum: [...written, ...written.filter(text => /^[0-9.]+$/.test(text)).map(Number)],
  description: 'The current phase.',
  examples: ['4'],
})

const Gates = Type.Unsafe<Readonly<Record<GateKey, string>>>(
  Part(
    Object.fromEntries(
      GATES.map(({ key, states }) => [
        key,
        Type.Unsafe<string>({
          enum: [...states],
          description: `The state of the gate ${key}.`,
        }),
      ]),
    ),
    'The states of the six gates.',
  ),
)

/** The artifacts of a gate. */
export type GateArtifact = Static<typeof GateArtifact>
const GateArtifact = Type.Object(
  {
    Required: Texts('Artifacts that the gate requires.'),
    Provided: Maybe(
      Named(
        Type.Enum(['present', 'missing', 'not-applicable'], {
          description: 'The status of the artifact.',
        }),
        'The status of each required artifact.',
      ),
    ),
  },
  {
    $id: 'gateArtifact',
    ...OPEN,
    description: 'The required artifacts of the gate and their status.',
  },
)

const GateArtifacts = Type.Unsafe<Readonly<Partial<Record<GateKey, GateArtifact>>>>(
  Part(
    Object.fromEntries(GATES.map(({ key }) => [key, Maybe(GateArtifact)])),
    'The required artifacts of each gate and their status.',
  ),
)

const schema = Type.Object(
  {
    Phase,
    Mode: Choice(['NORMAL', 'DEGRADED', 'DRAFT', 'BLOCKED'], 'The mode of the session.'),
    ConfidenceLevel: Maybe(
      Type.Integer({ minimum: 0, maximum: 100, description: 'Confidence from 0 to 100.' }),
    ),
    Next: Text('The next step: Phase<phase>-<text>, BLOCKED-<reason> or PR-Ready.'),
    LoadedRulebooks: Maybe(
      Part(
        {
          core: Text('Path of the core rulebook, empty until phase 4.'),
          profile: Text('Path of the profile rulebook, empty until a profile is known.'),
        },
        'The loaded rulebooks.',
      ),
    ),
    ActiveProfile: Text('The active profile, empty until it is known.'),
    ProfileSource: Choice(
      [
        'user-explicit',
        'auto-detected-single',
        'repo-fallback',
        'deferred',
        'component-scope-inferred',
        'component-scope-filtered',
        'ambiguous',
      ],
      'How the profile was found.',
    ),
    ProfileEvidence: Text('Paths and files that indicate the profile.'),
    Gates: Maybe(Gates),
    ComponentScopePaths: Texts('Folders of the component scope.'),
    ComponentScopeSource: Choice(
      ['user-explicit', 'assistant-proposed'],
      'Who chose the component scope.',
    ),
    ComponentScopeEvidence: Text('Evidence for the component scope.'),
    RepoMapDigest: Maybe(RepoMapDigest),
    RepoModel: Anything('The old name of RepoMapDigest.'),
    DecisionDrivers: Entries('Criteria for decisions, each with its evidence.'),
    WorkingSet: Entries('Files that the work concerns, each with the reason.'),
    TouchedSurface: Maybe(TouchedSurface),
    RepoCacheFile: Maybe(RepoCacheFile),
    FastPath: Flag('Whether the fast path was taken.'),
    FastPathReason: Text('The reason in short.'),
    FastPathEvaluation: Maybe(FastPathEvaluation),
    DependencyChanges: Maybe(DependencyChanges),
    GateArtifacts: Maybe(GateArtifacts),
    ArchitectureDecisions: List(ArchitectureDecision, 'Architecture decisions.'),
    RollbackStrategy: Maybe(RollbackStrategy),
    CrossRepoImpact: Maybe(CrossRepoImpact),
    StateCompression: Maybe(StateCompression),
    OutputMode: Choice(['normal', 'architect-only'], 'The level of detail of responses.'),
    DecisionSurface: Maybe(DecisionSurface),
    DecisionPack: List(Decision, 'Decisions that discovery prepared.'),
    TicketRecordDigest: Text('The ticket in one line.'),
    NFRChecklist: Maybe(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'Non-functional requirements and their state.',
      }),
    ),
    BuildEvidence: Maybe(BuildEvidence),
  },
  {
    ...OPEN,
    title: 'Session state',
    description: 'The state of a working session: phase, mode, gates and their evidence.',
  },
)

export type SessionState = Static<typeof schema>
export default schema
