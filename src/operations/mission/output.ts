import type { TypeOf } from '../operation.ts'

const count = (description: string) => ({ type: 'integer', minimum: 0, description }) as const
const text = (description: string) => ({ type: 'string', description }) as const
const textOrNull = (description: string) => ({ type: ['string', 'null'], description }) as const
const countOrNull = (description: string) =>
  ({ type: ['integer', 'null'], minimum: 0, description }) as const

const Found = {
  type: 'object',
  required: ['code', 'path', 'message'],
  properties: {
    code: text('A stable code.'),
    path: text('Where, as a JSON Pointer.'),
    message: text('What is wrong.'),
    hint: text('What to do about it.'),
  },
  additionalProperties: false,
  description: 'One thing that was found.',
} as const

/** Why something ended before its end. */
export const ReasonOf = {
  type: ['object', 'null'],
  required: ['code', 'message'],
  properties: {
    code: text('A stable code.'),
    message: text('One sentence.'),
    diagnostics: { type: 'array', items: Found, description: 'What was found.' },
  },
  additionalProperties: false,
  description: 'Why it failed or was cancelled; null where nothing went wrong.',
} as const

/** What is told of every mission. */
export const MissionParts = {
  mission: text('The id of the mission, a UUID.'),
  tenant: text('Whose mission it is.'),
  state: {
    type: 'string',
    enum: ['running', 'paused', 'finished', 'failed', 'cancelled'],
    description: 'What the mission does.',
  },
  goal: textOrNull('What it is to reach; null where its envelope was erased.'),
  template: textOrNull('The template that it was made from.'),
  startedAt: text('When it was submitted.'),
  endedAt: textOrNull('When it was over.'),
  deadline: textOrNull('When its time budget is used up.'),
  tokensUsed: count('How many tokens its agents have used, as far as they tell.'),
  tokenBudget: countOrNull('How many they may use.'),
  openTasks: count('How many tasks are not done.'),
  activeTasks: count('How many are queued, running or waiting.'),
  reason: ReasonOf,
} as const

/** One mission in a list. */
export const ListedMission = {
  type: 'object',
  required: Object.keys(MissionParts) as (keyof typeof MissionParts)[],
  properties: MissionParts,
  additionalProperties: false,
  description: 'One mission.',
} as const

const AnsweredBy = {
  type: 'object',
  required: ['by', 'standing', 'entry'],
  properties: {
    by: text('The person.'),
    standing: {
      type: 'string',
      enum: ['proved', 'claimed'],
      description: 'Whether a key shows who it was.',
    },
    entry: text('The entry of the log that says so, hex SHA-256.'),
  },
  additionalProperties: false,
  description: 'Who has answered a task.',
} as const

/** What is told of every task. */
export const TaskParts = {
  task: text('The id of the task.'),
  role: text('The part that its agent plays.'),
  agent: text('Who does it, by canonical id.'),
  state: {
    type: 'string',
    enum: ['blocked', 'queued', 'running', 'waiting', 'done', 'failed', 'cancelled'],
    description: 'What the task does.',
  },
  dependsOn: { type: 'array', items: text('A task.'), description: 'Which tasks it waits for.' },
  attempt: count('The number of its newest start.'),
  failures: count('How often it has failed.'),
  waitingFor: textOrNull('Whom it waits for.'),
  answeredBy: {
    anyOf: [AnsweredBy, { type: 'null', description: 'No person has.' }],
    description: 'Who has answered it for its agent; null where no person has.',
  },
  handoff: textOrNull('The handoff by which it was handed over.'),
  tokensUsed: count('How many tokens its agent has used.'),
  startedAt: textOrNull('When it was last started.'),
  ms: countOrNull('How long its newest start took, or takes, in milliseconds.'),
  reason: ReasonOf,
} as const

/** One task of a mission. */
export const ListedTask = {
  type: 'object',
  required: Object.keys(TaskParts) as (keyof typeof TaskParts)[],
  properties: TaskParts,
  additionalProperties: false,
  description: 'One task.',
} as const

const artifactParts = {
  task: textOrNull('The task that has produced it.'),
  schemaName: text('What sort of artifact it is.'),
  id: text('Its own id; a graph has its digest.'),
  digest: text('Hex SHA-256 of its canonical JSON.'),
} as const

/** One artifact that a task has produced. */
export const ListedArtifact = {
  type: 'object',
  required: Object.keys(artifactParts) as (keyof typeof artifactParts)[],
  properties: artifactParts,
  additionalProperties: false,
  description: 'One artifact.',
} as const

const proposalParts = {
  proposal: text('Its id.'),
  digest: text('Hex SHA-256 of its canonical JSON, to which a decision is bound.'),
  action: textOrNull('What is to be done; null where it was erased.'),
  target: textOrNull('What it is to be done to, by type and id; null where it was erased.'),
  state: {
    type: 'string',
    enum: ['pending', 'approved', 'rejected', 'delivered', 'failed', 'expired', 'erased'],
    description:
      '`pending`: nobody has decided; `approved`: on its way out; `failed`: it could not be delivered; `expired`: the approval was not acted on in time.',
  },
  by: textOrNull('Who has decided.'),
  why: textOrNull('On what grounds.'),
  decidedAt: textOrNull('When it was decided.'),
  expiresAt: textOrNull('Until when an approval may be acted on.'),
  delivery: textOrNull('What came of delivering it last, in one sentence.'),
} as const

/** One proposed write-back, and what became of it. */
export const ListedProposal = {
  type: 'object',
  required: Object.keys(proposalParts) as (keyof typeof proposalParts)[],
  properties: proposalParts,
  additionalProperties: false,
  description: 'One proposed write-back.',
} as const

/** One thing that is not as it should be, in a mission or its bundle. */
export const Difference = {
  type: 'object',
  required: ['code', 'path', 'message'],
  properties: {
    code: text('A stable code; waybill explain tells more.'),
    path: text('Where, as a JSON Pointer.'),
    message: text('What is wrong.'),
  },
  additionalProperties: false,
  description: 'One thing that is not as it should be.',
} as const

/** How far a mission is, task by task. */
export const MissionStatus = {
  type: 'object',
  required: [
    ...(Object.keys(MissionParts) as (keyof typeof MissionParts)[]),
    ...(['tasks', 'artifacts', 'review', 'proposals'] as const),
  ],
  properties: {
    ...MissionParts,
    tasks: {
      type: 'array',
      items: ListedTask,
      description: 'Its tasks, in the order of its graphs.',
    },
    artifacts: {
      type: 'array',
      items: ListedArtifact,
      description: 'What the tasks have produced so far.',
    },
    review: textOrNull('What its review says, such as approved; null before that.'),
    proposals: {
      type: 'array',
      items: ListedProposal,
      description: 'The write-backs that it proposes, the oldest first.',
    },
  },
  additionalProperties: false,
  description: 'How far a mission is.',
} as const

type Reasoned<T> = Omit<T, 'reason'> & { readonly reason: ReasonParts | null }

/** Why something ended before its end. */
export interface ReasonParts {
  readonly code: string
  readonly message: string
  readonly diagnostics?: readonly TypeOf<typeof Found>[]
}

/** One mission in a list. */
export type ListedMissionParts = Reasoned<TypeOf<typeof ListedMission>>

/** One task of a mission. */
export type ListedTaskParts = Reasoned<TypeOf<typeof ListedTask>>

/** One proposed write-back, and what became of it. */
export type ListedProposalParts = TypeOf<typeof ListedProposal>

/** How far a mission is, task by task. */
export type MissionStatusParts = ListedMissionParts & {
  readonly tasks: readonly ListedTaskParts[]
  readonly artifacts: readonly TypeOf<typeof ListedArtifact>[]
  readonly review: string | null
  readonly proposals: readonly ListedProposalParts[]
}
