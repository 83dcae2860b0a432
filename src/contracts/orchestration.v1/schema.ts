import Type, { type Static, type TSchema } from 'typebox'
import { MaybeText, Resumption } from '../resumption-shapes.ts'
import { Named, TimeOrNull } from '../shapes.ts'
import { OPEN, Text, Texts } from '../state-shapes.ts'
import { STATUSES } from './statuses.ts'

// One shared definition for all times, since its pattern is long.
const MaybeTime = Type.Optional(TimeOrNull('When it happened, with its zone, or null.', 'time'))
const Count = (description: string) =>
  Type.Optional(Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 0, description }))
const Anything = (description: string) => Type.Optional(Type.Unknown({ description }))

const Id = (description: string) =>
  Type.Unsafe<string | number>({ type: ['string', 'integer'], minLength: 1, description })

const DependsOn = Type.Optional(
  Type.Unsafe<string | string[] | null>({
    type: ['string', 'array', 'null'],
    items: { type: 'string', description: 'A dependency.' },
    description: 'What must be complete first, a name or a list of names.',
    examples: ['ps.phase.1'],
  }),
)

const SessionContext = Type.Object(
  {
    input: MaybeText('The session context that the agent reads.'),
    output: MaybeText('The session context that the agent writes.'),
  },
  { ...OPEN, description: 'The session contexts that the agent reads and writes.' },
)

const Agent = Type.Object(
  {
    id: Type.String({ minLength: 1, description: 'The id of the agent.' }),
    name: Text('The task of the agent in a few words.'),
    role: Text('The role of the agent.'),
    description: Text('The task of the agent.'),
    status: Type.Optional(Type.Enum(STATUSES, { description: 'The status of the agent.' })),
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
    name: Text('The name of the phase.'),
    description: Text('The purpose of the phase.'),
    status: Type.Optional(Type.Enum(STATUSES, { description: 'The status of the phase.' })),
    depends_on: DependsOn,
    blocked_by: MaybeText('What the phase waits for.'),
    execution_mode: Text('Whether its agents run in sequence or in parallel.'),
    started_at: MaybeTime,
    completed_at: MaybeTime,
    agents: Type.Optional(Type.Array(Agent, { description: 'The agents of the phase.' })),
    artifacts: Anything('Files that the phase produced.'),
  },
  { ...OPEN, description: 'An object with the `id` of the phase and its `agents`.' },
)

const Pipeline = Type.Object(
  {
    id: Text('The id of the pipeline.'),
    name: Text('The name of the pipeline.'),
    description: Text('The purpose of the pipeline.'),
    short_alias: Text('A short name of the pipeline.'),
    skill_source: Text('The skill whose agents work in it.'),
    status: Text('The status of the pipeline.'),
    current_phase: Type.Optional(
      Type.Unsafe<string | number | null>({
        type: ['string', 'integer', 'null'],
        description: 'The current phase.',
      }),
    ),
    total_phases: Count('The number of its phases.'),
    progress_percent: Type.Optional(Type.Number({ description: 'Its progress in percent.' })),
    phases: Type.Array(Phase, { description: 'Its phases in order.' }),
  },
  { ...OPEN, description: 'An object with the `phases` of the pipeline.' },
)

const BARRIER_STATUS = ['PENDING', 'IN_PROGRESS', 'COMPLETE']

const HandedOver = Type.Object(
  {
    path: MaybeText('The path of the file.'),
    status: Text('The status of the file.'),
    key_content: MaybeText('A summary of the file.'),
  },
  { ...OPEN, description: 'A file that is handed over.' },
)

const Barrier = Type.Object(
  {
    id: Text('The id of the barrier.'),
    name: Text('What the pipelines exchange there.'),
    description: Text('The purpose of the barrier.'),
    status: Type.Optional(Type.Enum(BARRIER_STATUS, { description: 'The status of the barrier.' })),
    depends_on: DependsOn,
    after_phases: Texts('Phases that the barrier follows.'),
    blocked_by: MaybeText('What the barrier waits for.'),
    completed_at: MaybeTime,
    artifacts: Type.Optional(Named(HandedOver, 'Files that are handed over there, by direction.')),
  },
  { $id: 'barrier', ...OPEN, description: 'A point at which pipelines wait for each other.' },
)

/** A list of things with ids, or a map by id: real files use both. */
const ListOrNamed = <Item extends TSchema>(item: Item, description: string) =>
  Type.Unsafe<Static<Item>[] | Record<string, Static<Item>>>({
    type: ['array', 'object'],
    items: item,
    additionalProperties: item,
    description,
  })

const Workflow = Type.Object(
  {
    id: Text('The id of the workflow.'),
    name: Text('The name of the workflow.'),
    description: Text('The purpose of the workflow.'),
    project_id: Text('The project that it belongs to.'),
    version: Text('The version of the plan.'),
    status: Type.Optional(
      Type.Enum(['ACTIVE', 'PAUSED', 'COMPLETE', 'FAILED', 'CANCELLED'], {
        description: 'The status of the workflow.',
      }),
    ),
    created: MaybeTime,
    created_at: MaybeTime,
    updated: MaybeTime,
    updated_at: MaybeTime,
    completed_at: MaybeTime,
    pattern: Text('How its pipelines work together.'),
    patterns: Texts('How its pipelines work together.'),
    constraints: Anything('Limits for its agents.'),
  },
  { ...OPEN, description: 'The workflow as a whole: an object with `id` and `status`.' },
)

const Group = Type.Object(
  {
    id: Id('The number of the group.'),
    name: Text('The name of the group.'),
    execution_mode: Text('Whether its agents run in sequence or in parallel.'),
    status: Text('The status of the group.'),
    depends_on: Type.Optional(
      Type.Unsafe<string | number | (string | number)[] | null>({
        type: ['string', 'integer', 'array', 'null'],
        items: {
          type: ['string', 'integer'],
          description: 'A dependency.',
        },
        description: 'What must be complete first: names of groups, phases, barriers or agents.',
        examples: ['group-1'],
      }),
    ),
    blocked_by: MaybeText('What the group waits for.'),
    agents: Texts('Ids of its agents.'),
    tasks: Texts('Tasks without agents.'),
    artifact: MaybeText('The file that it writes.'),
  },
  { ...OPEN, description: 'An object with the `id` of the group and its `agents`.' },
)

const Queue = Type.Object(
  {
    current_group: Type.Optional(
      Type.Unsafe<string | number | null>({
        type: ['string', 'integer', 'null'],
        description: 'The current group.',
      }),
    ),
    groups: Type.Optional(Type.Array(Group, { description: 'The groups in order.' })),
  },
  { ...OPEN, description: 'The order in which agents run.' },
)

const Checkpoint = Type.Object(
  {
    id: Type.String({ minLength: 1, description: 'The id of the checkpoint.' }),
    timestamp: MaybeTime,
    trigger: Text('Why it was made.'),
    description: Text('What is safe at this point.'),
    recovery_point: MaybeText('Where to resume from.'),
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
  { ...OPEN, description: 'Points from which the workflow can resume.' },
)

const figures = {
  phases_complete: Count('The number of completed phases.'),
  phases_total: Count('The number of phases.'),
  phases_percent: Count('Completed phases in percent.'),
  barriers_complete: Count('The number of barriers passed.'),
  barriers_total: Count('The number of barriers.'),
  barriers_percent: Count('Barriers passed in percent.'),
  agents_executed: Count('The number of agents that have run.'),
  agents_total: Count('The number of agents.'),
  agents_percent: Count('Agents that have run, in percent.'),
  artifacts_created: Count('The number of files created.'),
  artifacts_total: Count('The number of files planned.'),
  artifacts_percent: Count('Files created, in percent.'),
  progress_percentage: Type.Optional(Type.Number({ description: 'Overall progress in percent.' })),
}

const Metrics = Type.Object(
  {
    ...figures,
    execution: Type.Optional(Type.Object(figures, { ...OPEN, description: 'Progress figures.' })),
    quality: Anything('Quality figures.'),
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
    active: Type.Optional(Type.Array(Type.Unknown(), { description: 'Current blockers.' })),
    resolved: Type.Optional(Type.Array(Type.Unknown(), { description: 'Resolved blockers.' })),
  },
  { ...OPEN, description: 'Blockers of the workflow.' },
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
    issues: Anything('Open issues.'),
    next_actions: Anything('What to do next.'),
    resumption: Type.Optional(Resumption),
  },
  { ...OPEN, title: 'Orchestration state', description: 'The state of a workflow of agents.' },
)

export type Orchestration = Static<typeof schema>
export default schema
