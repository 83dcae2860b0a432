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
    path: text('The location, as a JSON Pointer.'),
    message: text('What is wrong.'),
    hint: text('How to fix it.'),
  },
  additionalProperties: false,
  description: 'One diagnostic.',
} as const

/** Why a mission or task ended early. */
export const ReasonOf = {
  type: ['object', 'null'],
  required: ['code', 'message'],
  properties: {
    code: text('A stable code.'),
    message: text('One sentence.'),
    diagnostics: { type: 'array', items: Found, description: 'The diagnostics.' },
  },
  additionalProperties: false,
  description: 'Why it failed or was cancelled; null when neither.',
} as const

/** Fields of every mission. */
export const MissionParts = {
  mission: text('The id of the mission, a UUID.'),
  tenant: text('The tenant of the mission.'),
  state: {
    type: 'string',
    enum: ['running', 'paused', 'finished', 'failed', 'cancelled'],
    description: 'The state of the mission.',
  },
  goal: textOrNull('The goal; null when the envelope was erased.'),
  template: textOrNull('The template it was made from.'),
  startedAt: text('When it was submitted.'),
  endedAt: textOrNull('When it ended.'),
  deadline: textOrNull('When its time budget runs out.'),
  tokensUsed: count('How many tokens its agents reported.'),
  tokenBudget: countOrNull('How many tokens they may use.'),
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
      description: 'Whether a key proves the name.',
    },
    entry: text('The log entry that records it, hex SHA-256.'),
  },
  additionalProperties: false,
  description: 'The person who answered a task.',
} as const

/** Fields of every task. */
export const TaskParts = {
  task: text('The id of the task.'),
  role: text('The role of its agent.'),
  agent: text('The canonical id of its agent.'),
  state: {
    type: 'string',
    enum: ['blocked', 'queued', 'running', 'waiting', 'done', 'failed', 'cancelled'],
    description: 'The state of the task.',
  },
  dependsOn: { type: 'array', items: text('A task.'), description: 'The tasks it waits for.' },
  attempt: count('The number of its latest attempt.'),
  failures: count('How often it has failed.'),
  waitingFor: textOrNull('Who it waits for.'),
  answeredBy: {
    anyOf: [AnsweredBy, { type: 'null', description: 'No person answered.' }],
    description: 'The person who answered it instead of its agent; null when none did.',
  },
  handoff: textOrNull('The handoff that started it.'),
  tokensUsed: count('How many tokens its agent reported.'),
  startedAt: textOrNull('When its latest attempt started.'),
  ms: countOrNull('How long its latest attempt took so far, in milliseconds.'),
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
  task: textOrNull('The task that produced it.'),
  schemaName: text('The schema name of the artifact.'),
  id: text('Its id; for a graph, its digest.'),
  digest: text('Hex SHA-256 of its canonical JSON.'),
} as const

/** One artifact that a task produced. */
export const ListedArtifact = {
  type: 'object',
  required: Object.keys(artifactParts) as (keyof typeof artifactParts)[],
  properties: artifactParts,
  additionalProperties: false,
  description: 'One artifact.',
} as const

const proposalParts = {
  proposal: text('Its id.'),
  digest: text('Hex SHA-256 of its canonical JSON; a decision applies to this digest.'),
  action: textOrNull('The action type; null when erased.'),
  target: textOrNull('The target, by type and id; null when erased.'),
  state: {
    type: 'string',
    enum: ['pending', 'approved', 'rejected', 'delivered', 'failed', 'expired', 'erased'],
    description:
      '`pending`: not decided; `approved`: to be delivered; `failed`: delivery failed; `expired`: not delivered before the approval expired.',
  },
  by: textOrNull('Who decided.'),
  why: textOrNull('The reason for the decision.'),
  decidedAt: textOrNull('When it was decided.'),
  expiresAt: textOrNull('When the approval expires.'),
  delivery: textOrNull('The result of the last delivery, in one sentence.'),
} as const

/** One proposed write-back and its state. */
export const ListedProposal = {
  type: 'object',
  required: Object.keys(proposalParts) as (keyof typeof proposalParts)[],
  properties: proposalParts,
  additionalProperties: false,
  description: 'One proposed write-back.',
} as const

/** One inconsistency in a mission or its bundle. */
export const Difference = {
  type: 'object',
  required: ['code', 'path', 'message'],
  properties: {
    code: text('A stable code; see waybill explain.'),
    path: text('The location, as a JSON Pointer.'),
    message: text('What is wrong.'),
  },
  additionalProperties: false,
  description: 'One inconsistency.',
} as const

/** The status of a mission and its tasks. */
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
      description: 'What its tasks have produced so far.',
    },
    review: textOrNull('The verdict of its review, such as approved; null before the review.'),
    proposals: {
      type: 'array',
      items: ListedProposal,
      description: 'The write-backs it proposes, oldest first.',
    },
  },
  additionalProperties: false,
  description: 'The status of a mission.',
} as const

type Reasoned<T> = Omit<T, 'reason'> & { readonly reason: ReasonParts | null }

/** Why a mission or task ended early. */
export interface ReasonParts {
  readonly code: string
  readonly message: string
  readonly diagnostics?: readonly TypeOf<typeof Found>[]
}

/** One mission in a list. */
export type ListedMissionParts = Reasoned<TypeOf<typeof ListedMission>>

/** One task of a mission. */
export type ListedTaskParts = Reasoned<TypeOf<typeof ListedTask>>

/** One proposed write-back and its state. */
export type ListedProposalParts = TypeOf<typeof ListedProposal>

/** The status of a mission and its tasks. */
export type MissionStatusParts = ListedMissionParts & {
  readonly tasks: readonly ListedTaskParts[]
  readonly artifacts: readonly TypeOf<typeof ListedArtifact>[]
  readonly review: string | null
  readonly proposals: readonly ListedProposalParts[]
}
