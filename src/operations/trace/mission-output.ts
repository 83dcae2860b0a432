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
    agent: text('Who does it, by canonical id.'),
    state: text('What it does.'),
    attempt: { type: 'integer', minimum: 0, description: 'The number of its newest start.' },
    handoff: textOrNull('The handoff by which it was handed over.'),
    dependsOn: texts('A task.', 'Which tasks it waits for.'),
    reason: textOrNull('The code of why it failed.'),
  },
  additionalProperties: false,
  description: 'One task.',
} as const

const Artifact = {
  type: 'object',
  required: ['schemaName', 'id', 'digest', 'task', 'erased'],
  properties: {
    schemaName: text('What sort of artifact it is.'),
    id: text('Its own id; a graph has its digest.'),
    digest: text('Hex SHA-256 of its canonical JSON.'),
    task: textOrNull('The task that has produced it.'),
    erased: { type: 'boolean', description: 'Whether only digest and tombstone are left.' },
  },
  additionalProperties: false,
  description: 'One artifact.',
} as const

const File = {
  type: 'object',
  required: ['path', 'contract', 'digest', 'task', 'state'],
  properties: {
    path: text('The file, from the root.'),
    contract: textOrNull('What it is a document of, such as session-context.'),
    digest: text('Hex SHA-256 of its bytes as they were written.'),
    task: text('The task that has written it.'),
    state: {
      enum: ['as-written', 'changed', 'gone', 'elsewhere'],
      description:
        'Whether it stands there with these bytes; elsewhere: in another repository, or a worktree that is not here.',
    },
  },
  additionalProperties: false,
  description: 'One file that an agent of a pipeline has written.',
} as const

const Decision = {
  type: 'object',
  required: ['kind', 'id', 'decision', 'by', 'digest', 'at'],
  properties: {
    kind: { enum: ['policy', 'write-back'], description: 'What sort of decision it is.' },
    id: text('The decision of the policies, or the proposal that was decided on.'),
    decision: text('What was decided.'),
    by: textOrNull('Who; null for policies.'),
    digest: text('The digest of what was decided on, or of the decision itself.'),
    at: textOrNull('When.'),
  },
  additionalProperties: false,
  description: 'One decision.',
} as const

const ToolCall = {
  type: 'object',
  required: ['ref', 'task', 'attempt', 'tool', 'decision', 'arguments', 'result', 'isError', 'at'],
  properties: {
    ref: text('What results call it by.'),
    task: text('The task.'),
    attempt: { type: 'integer', minimum: 0, description: 'The attempt at it.' },
    tool: text('The tool.'),
    decision: text('What the guard decided.'),
    arguments: textOrNull('The digest of what it was given.'),
    result: textOrNull('The digest of what it answered.'),
    isError: { type: 'boolean', description: 'Whether it failed.' },
    at: text('When.'),
  },
  additionalProperties: false,
  description: 'One call, by digests alone.',
} as const

const parts = {
  mission: text('Its id.'),
  tenant: text('Whose it is.'),
  state: text('What it does.'),
  startedAt: text('When it began.'),
  endedAt: textOrNull('When it was over.'),
  tasks: { type: 'array', items: Task, description: 'Its tasks, in the order of its graphs.' },
  artifacts: { type: 'array', items: Artifact, description: 'Its artifacts.' },
  files: { type: 'array', items: File, description: 'What its agents have written.' },
  decisions: { type: 'array', items: Decision, description: 'What was decided in it.' },
  toolCalls: { type: 'array', items: ToolCall, description: 'The calls of tools.' },
} as const

/** What the database knows of a mission, without the contents of anything. */
export const MissionStory = {
  type: ['object', 'null'],
  required: Object.keys(parts) as (keyof typeof parts)[],
  properties: parts,
  additionalProperties: false,
  description:
    'What the database knows of the mission; null where there is none, or no database to ask.',
} as const

const whole = {
  type: 'object',
  required: Object.keys(parts) as (keyof typeof parts)[],
  properties: parts,
} as const

/** What the database knows of a mission. */
export type MissionStoryParts = TypeOf<typeof whole>
