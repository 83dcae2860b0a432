import Type, { type Static, type TSchema } from 'typebox'
import { Named, TextOrNull, TimeOrNull } from '../shapes.ts'

// Real files add sections and keys of their own everywhere: they are kept, and shown as an info.
const OPEN = { additionalProperties: true }

const Text = (description: string) => Type.Optional(Type.String({ description }))
const MaybeText = (description: string) => Type.Optional(TextOrNull(description))
// One shape for all times: its pattern is long, and there are many.
const MaybeTime = Type.Optional(TimeOrNull('When it happened, with its zone, or null.', 'time'))
const Texts = (description: string) =>
  Type.Optional(Type.Array(Type.String({ description: 'One of them, a text.' }), { description }))
const Count = (description: string) =>
  Type.Optional(Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 0, description }))
const Anything = (description: string) => Type.Optional(Type.Unknown({ description }))

const Id = (description: string) =>
  Type.Unsafe<string | number>({ type: ['string', 'integer'], minLength: 1, description })

const DependsOn = Type.Optional(
  Type.Unsafe<string | string[] | null>({
    type: ['string', 'array', 'null'],
    items: { type: 'string', description: 'One thing that has to be complete first.' },
    description: 'What has to be complete first, a name or a list of names.',
    examples: ['ps.phase.1'],
  }),
)

const STATUS = ['PENDING', 'IN_PROGRESS', 'COMPLETE', 'FAILED', 'BLOCKED']

const SessionContext = Type.Object(
  {
    input: MaybeText('The session context that the agent reads.'),
    output: MaybeText('The session context that the agent writes.'),
  },
  { ...OPEN, description: 'Which session contexts the agent reads and writes.' },
)

const Agent = Type.Object(
  {
    id: Type.String({ minLength: 1, description: 'What the agent is called.' }),
    name: Text('What the agent does, in a few words.'),
    role: Text('The part that the agent plays.'),
    description: Text('What the agent is to do.'),
    status: Type.Optional(Type.Enum(STATUS, { description: 'How far the agent is.' })),
    depends_on: DependsOn,
    blocked_by: MaybeText('What the agent waits for.'),
    session_context: Type.Optional(SessionContext),
    artifact: MaybeText('The file that the agent writes.'),
    inputs: Anything('Files that the agent reads.'),
    started_at: MaybeTime,
    completed_at: MaybeTime,
  },
  { ...OPEN, description: 'An object with the `id` of the agent.' },
)

const Phase = Type.Object(
  {
    id: Id('The number of the phase.'),
    name: Text('What the phase is about.'),
    description: Text('What the phase is for.'),
    status: Type.Optional(Type.Enum(STATUS, { description: 'How far the phase is.' })),
    depends_on: DependsOn,
    blocked_by: MaybeText('What the phase waits for.'),
    execution_mode: Text('Whether its agents work one after another or side by side.'),
    started_at: MaybeTime,
    completed_at: MaybeTime,
    agents: Type.Optional(Type.Array(Agent, { description: 'The agents of the phase.' })),
    artifacts: Anything('Files that came out of the phase.'),
  },
  { ...OPEN, description: 'An object with the `id` of the phase and its `agents`.' },
)

const Pipeline = Type.Object(
  {
    id: Text('What the pipeline is called.'),
    name: Text('What the pipeline is about.'),
    description: Text('What the pipeline is for.'),
    short_alias: Text('A short name of the pipeline.'),
    skill_source: Text('The skill whose agents work in it.'),
    status: Text('How far the pipeline is.'),
    current_phase: Type.Optional(
      Type.Unsafe<string | number | null>({
        type: ['string', 'integer', 'null'],
        description: 'The phase that is under way.',
      }),
    ),
    total_phases: Count('How many phases it has.'),
    progress_percent: Type.Optional(Type.Number({ description: 'How far it is, in percent.' })),
    phases: Type.Array(Phase, { description: 'Its phases in their order.' }),
  },
  { ...OPEN, description: 'An object with the `phases` of the pipeline.' },
)

const BARRIER_STATUS = ['PENDING', 'IN_PROGRESS', 'COMPLETE']

const HandedOver = Type.Object(
  {
    path: MaybeText('Where the file is.'),
    status: Text('How far the file is.'),
    key_content: MaybeText('What the file says, in short.'),
  },
  { ...OPEN, description: 'One file that is handed over.' },
)

const Barrier = Type.Object(
  {
    id: Text('What the barrier is called.'),
    name: Text('What is exchanged there.'),
    description: Text('What the barrier is for.'),
    status: Type.Optional(Type.Enum(BARRIER_STATUS, { description: 'How far the barrier is.' })),
    depends_on: DependsOn,
    after_phases: Texts('Phases after which the barrier stands.'),
    blocked_by: MaybeText('What the barrier waits for.'),
    completed_at: MaybeTime,
    artifacts: Type.Optional(Named(HandedOver, 'Files that are handed over there, by direction.')),
  },
  { $id: 'barrier', ...OPEN, description: 'One point at which pipelines wait for each other.' },
)

/** A list of things that have ids, or an object with the ids as its keys: both are written. */
const ListOrNamed = <Item extends TSchema>(item: Item, description: string) =>
  Type.Unsafe<Static<Item>[] | Record<string, Static<Item>>>({
    type: ['array', 'object'],
    items: item,
    additionalProperties: item,
    description,
  })

const Workflow = Type.Object(
  {
    id: Text('What the workflow is called.'),
    name: Text('What the workflow is about.'),
    description: Text('What the workflow is for.'),
    project_id: Text('The project that it belongs to.'),
    version: Text('The version of the plan.'),
    status: Type.Optional(
      Type.Enum(['ACTIVE', 'PAUSED', 'COMPLETE', 'FAILED', 'CANCELLED'], {
        description: 'How far the workflow is.',
      }),
    ),
    created: MaybeTime,
    created_at: MaybeTime,
    updated: MaybeTime,
    updated_at: MaybeTime,
    completed_at: MaybeTime,
    pattern: Text('How its pipelines work together.'),
    patterns: Texts('How its pipelines work together.'),
    constraints: Anything('Limits that its agents keep to.'),
  },
  { ...OPEN, description: 'The workflow as a whole: an object with `id` and `status`.' },
)

const Group = Type.Object(
  {
    id: Id('The number of the group.'),
    name: Text('What the group does.'),
    execution_mode: Text('Whether its agents work one after another or side by side.'),
    status: Text('How far the group is.'),
    depends_on: Type.Optional(
      Type.Unsafe<string | number | (string | number)[] | null>({
        type: ['string', 'integer', 'array', 'null'],
        items: {
          type: ['string', 'integer'],
          description: 'One thing that has to be complete first.',
        },
        description:
          'What has to be complete first: groups, phases, barriers or agents by their names.',
        examples: ['group-1'],
      }),
    ),
    blocked_by: MaybeText('What the group waits for.'),
    agents: Texts('Ids of its agents.'),
    tasks: Texts('What it does without agents.'),
    artifact: MaybeText('The file that it writes.'),
  },
  { ...OPEN, description: 'An object with the `id` of the group and its `agents`.' },
)

const Queue = Type.Object(
  {
    current_group: Type.Optional(
      Type.Unsafe<string | number | null>({
        type: ['string', 'integer', 'null'],
        description: 'The group that is under way.',
      }),
    ),
    groups: Type.Optional(Type.Array(Group, { description: 'The groups in their order.' })),
  },
  { ...OPEN, description: 'In which order agents work.' },
)

const Checkpoint = Type.Object(
  {
    id: Type.String({ minLength: 1, description: 'What the checkpoint is called.' }),
    timestamp: MaybeTime,
    trigger: Text('What it was made for.'),
    description: Text('What is safe at this point.'),
    recovery_point: MaybeText('Where to go on from here.'),
  },
  { ...OPEN, description: 'An object with the `id` of the checkpoint and its `timestamp`.' },
)

const Checkpoints = Type.Object(
  {
    latest_id: MaybeText('The last checkpoint.'),
    entries: Type.Optional(
      Type.Array(Checkpoint, { description: 'All checkpoints, the oldest first.' }),
    ),
  },
  { ...OPEN, description: 'Points from which the workflow can go on.' },
)

const figures = {
  phases_complete: Count('How many phases are complete.'),
  phases_total: Count('How many phases there are.'),
  phases_percent: Count('How many phases are complete, in percent.'),
  barriers_complete: Count('How many barriers are passed.'),
  barriers_total: Count('How many barriers there are.'),
  barriers_percent: Count('How many barriers are passed, in percent.'),
  agents_executed: Count('How many agents have worked.'),
  agents_total: Count('How many agents there are.'),
  agents_percent: Count('How many agents have worked, in percent.'),
  artifacts_created: Count('How many files there are.'),
  artifacts_total: Count('How many files there will be.'),
  artifacts_percent: Count('How many of the files there are, in percent.'),
  progress_percentage: Type.Optional(Type.Number({ description: 'How far it is, in percent.' })),
}

const Metrics = Type.Object(
  {
    ...figures,
    execution: Type.Optional(Type.Object(figures, { ...OPEN, description: 'How much is done.' })),
    quality: Anything('How good it is.'),
    timing: Type.Optional(
      Type.Object(
        {
          workflow_started: MaybeTime,
          last_activity: MaybeTime,
          estimated_completion: MaybeTime,
        },
        { ...OPEN, description: 'When it happened.' },
      ),
    ),
  },
  { ...OPEN, description: 'Figures that follow from the rest.' },
)

const Blockers = Type.Object(
  {
    active: Type.Optional(
      Type.Array(Type.Unknown(), { description: 'What blocks the workflow now.' }),
    ),
    resolved: Type.Optional(Type.Array(Type.Unknown(), { description: 'What blocked it once.' })),
  },
  { ...OPEN, description: 'What blocks the workflow.' },
)

const Resumption = Type.Object(
  {
    last_checkpoint: MaybeText('The checkpoint to go on from.'),
    current_state: MaybeText('Where the work stands.'),
    next_action: MaybeText('What to do next.'),
    next_step: MaybeText('What to do next.'),
    files_to_read: Texts('Files to read first.'),
    cross_session_portable: Type.Optional(
      Type.Boolean({ description: 'Whether another session can take over.' }),
    ),
    ephemeral_references: Type.Optional(
      Type.Boolean({ description: 'Whether it refers to what a session takes with it.' }),
    ),
  },
  { ...OPEN, description: 'What the next session needs to go on.' },
)

const schema = Type.Object(
  {
    schema_version: Text('The version of the format.'),
    workflow: Type.Optional(Workflow),
    pipelines: Named(Pipeline, 'The pipelines by their names, each with `phases`.'),
    barriers: Type.Optional(
      ListOrNamed(
        Barrier,
        'Points at which pipelines wait for each other, a list or by their ids.',
      ),
    ),
    execution_queue: Type.Optional(Queue),
    checkpoints: Type.Optional(Checkpoints),
    metrics: Type.Optional(Metrics),
    blockers: Type.Optional(Blockers),
    issues: Anything('What came up.'),
    next_actions: Anything('What to do next.'),
    resumption: Type.Optional(Resumption),
  },
  { ...OPEN, title: 'Orchestration state', description: 'Where a workflow of agents stands.' },
)

/** Where a workflow of agents stands. */
export type Orchestration = Static<typeof schema>
export default schema
