import type { TypeOf } from '../operation.ts'

const Step = {
  type: 'object',
  required: ['path', 'action', 'note'],
  properties: {
    path: { type: 'string', description: 'The file or folder, from the root.' },
    action: {
      enum: ['created', 'changed', 'kept'],
      description: 'What became of it, or would with `--dry-run`.',
    },
    note: { type: 'string', description: 'What it is for, or why it was left alone.' },
  },
  additionalProperties: false,
  description: 'One thing that makes a repository ready.',
} as const

const Key = {
  type: 'object',
  required: ['kind', 'name', 'where', 'keyid'],
  properties: {
    kind: {
      enum: ['agent', 'gateway', 'log', 'person'],
      description: 'What sort of holder it has.',
    },
    name: { type: 'string', description: 'The id of the agent, or the origin of the log.' },
    where: {
      enum: ['created', 'here', 'elsewhere', 'revoked'],
      description:
        'Whether it was made, or would be with `--dry-run`; its private half is here already; another clone holds it; or it was revoked, and none is made.',
    },
    keyid: {
      type: ['string', 'null'],
      description: 'SHA-256 of a key that was made; null for any other.',
    },
  },
  additionalProperties: false,
  description: 'The key of the gateway, the log or an agent.',
} as const

const Command = {
  type: 'object',
  required: ['command', 'does'],
  properties: {
    command: { type: 'string', description: 'What to type.' },
    does: { type: 'string', description: 'What it does.' },
  },
  additionalProperties: false,
  description: 'One command.',
} as const

const schema = {
  type: 'object',
  required: ['root', 'dryRun', 'steps', 'keys', 'next'],
  properties: {
    root: { type: 'string', description: 'The root of the repository, absolute.' },
    dryRun: { type: 'boolean', description: 'Whether nothing was done.' },
    steps: { type: 'array', items: Step, description: 'Everything that a ready repository has.' },
    keys: {
      type: 'array',
      items: Key,
      description: 'The keys of the gateway, the log and the agents of the manifest.',
    },
    next: { type: 'array', items: Command, description: 'What to do next.' },
  },
  additionalProperties: false,
  title: 'Output of waybill init',
  description: 'What was done to make a repository ready, and what was there already.',
} as const

/** One thing that makes a repository ready, and what became of it. */
export type InitStep = TypeOf<typeof Step>

/** The key of the gateway, the log or an agent, and where its private half is. */
export type InitKey = TypeOf<typeof Key>

/** What `init` did, or with `dryRun` would do. */
export type InitOutput = TypeOf<typeof schema>
export default schema
