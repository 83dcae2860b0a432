import type { TypeOf } from '../operation.ts'

const text = (description: string) => ({ type: 'string', description }) as const
const textOrNull = (description: string) => ({ type: ['string', 'null'], description }) as const
const texts = (item: string, description: string) =>
  ({ type: 'array', items: text(item), description }) as const

const Task = {
  type: 'object',
  required: ['task', 'agent', 'state', 'attempt', 'handoff', 'dependsOn', 'reason'],
  properties: {
    task: text('Its id.'),
    agent: text('The canonical id of its agent.'),
    state: text('Its state.'),
    attempt: { type: 'integer', minimum: 0, description: 'The number of its latest attempt.' },
    handoff: textOrNull('The handoff that started it.'),
    dependsOn: texts('A task.', 'The tasks it depends on.'),
    reason: textOrNull('The code of its failure.'),
  },
  additionalProperties: false,
  description: 'One task.',
} as const

const Artifact = {
  type: 'object',
  required: ['schemaName', 'id', 'digest', 'task', 'erased'],
  properties: {
    schemaName: text('The schema name of the artifact.'),
    id: text('Its id; for a graph, its digest.'),
    digest: text('Hex SHA-256 of its canonical JSON.'),
    task: textOrNull('The task that produced it.'),
    erased: { type: 'boolean', description: 'Whether it was erased.' },
  },
  additionalProperties: false,
  description: 'One artifact.',
} as const

const File = {
  type: 'object',
  required: ['path', 'contract', 'digest', 'task', 'state'],
  properties: {
    path: text('The file, from the root.'),
    contract: textOrNull('Its contract, such as session-context.'),
    digest: text('Hex SHA-256 of its bytes when it was written.'),
    task: text('The task that wrote it.'),
    state: {
      enum: ['as-written', 'changed', 'gone', 'elsewhere'],
      description:
        'Whether it still has these bytes; elsewhere: in another repository, or a worktree that is not here.',
    },
  },
  additionalProperties: false,
  description: 'One file that a pipeline agent wrote.',
} as const

const Decision = {
  type: 'object',
  required: ['kind', 'id', 'decision', 'by', 'digest', 'at'],
  properties: {
    kind: { enum: ['policy', 'write-back'], description: 'The kind of decision.' },
    id: text('The policy decision, or the proposal.'),
    decision: text('The decision.'),
    by: textOrNull('The person; null for policies.'),
    digest: text('The digest of the proposal or of the policy decision.'),
    at: textOrNull('When.'),
  },
  additionalProperties: false,
  description: 'One decision.',
} as const

const ToolCall = {
  type: 'object',
  required: ['ref', 'task', 'attempt', 'tool', 'decision', 'arguments', 'result', 'isError', 'at'],
  properties: {
    ref: text('Its reference in results.'),
    task: text('The task.'),
    attempt: { type: 'integer', minimum: 0, description: 'The attempt of the task.' },
    tool: text('The tool.'),
    decision: text('The decision of the guard.'),
    arguments: textOrNull('The digest of its arguments.'),
    result: textOrNull('The digest of its result.'),
    isError: { type: 'boolean', description: 'Whether it failed.' },
    at: text('When.'),
  },
  additionalProperties: false,
  description: 'One tool call, by digests only.',
} as const

const parts = {
  mission: text('Its id.'),
  tenant: text('Its tenant.'),
  state: text('Its state.'),
  startedAt: text('When it began.'),
  endedAt: textOrNull('When it ended.'),
  tasks: { type: 'array', items: Task, description: 'Its tasks, in the order of its graphs.' },
  artifacts: { type: 'array', items: Artifact, description: 'Its artifacts.' },
  files: { type: 'array', items: File, description: 'The files its agents wrote.' },
  decisions: { type: 'array', items: Decision, description: 'Its decisions.' },
  toolCalls: { type: 'array', items: ToolCall, description: 'Its tool calls.' },
} as const

/** The mission in the database, without any content. */
export const MissionStory = {
  type: ['object', 'null'],
  required: Object.keys(parts) as (keyof typeof parts)[],
  properties: parts,
  additionalProperties: false,
  description: 'The mission in the database; null when there is none, or no database.',
} as const

const whole = {
  type: 'object',
  required: Object.keys(parts) as (keyof typeof parts)[],
  properties: parts,
} as const

/** The mission in the database. */
export type MissionStoryParts = TypeOf<typeof whole>
