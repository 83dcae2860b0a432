import type { TypeOf } from '../operation.ts'

const Step = {
  type: 'object',
  required: ['path', 'action', 'note'],
  properties: {
    path: { type: 'string', description: 'Path of the file or folder from the root.' },
    action: {
      enum: ['created', 'changed', 'removed', 'kept'],
      description: 'What was done, or would be with `--dry-run`.',
    },
    note: { type: 'string', description: 'Its purpose, or why it was kept.' },
    diff: {
      type: 'string',
      description: 'The change as a unified diff, for files of coding agents with `--dry-run`.',
    },
  },
  additionalProperties: false,
  description: 'One step.',
} as const

const Key = {
  type: 'object',
  required: ['kind', 'name', 'where', 'keyid'],
  properties: {
    kind: {
      enum: ['agent', 'gateway', 'log', 'person'],
      description: 'The kind of holder.',
    },
    name: { type: 'string', description: 'The id of the agent, or the origin of the log.' },
    where: {
      enum: ['created', 'here', 'elsewhere', 'revoked'],
      description:
        'Created (or would be with `--dry-run`), private key present here, private key elsewhere, or revoked and not replaced.',
    },
    keyid: {
      type: ['string', 'null'],
      description: 'SHA-256 of a created key; null for others.',
    },
  },
  additionalProperties: false,
  description: 'The key of the gateway, the log or an agent.',
} as const

const Command = {
  type: 'object',
  required: ['command', 'does'],
  properties: {
    command: { type: 'string', description: 'The command line.' },
    does: { type: 'string', description: 'What it does.' },
  },
  additionalProperties: false,
  description: 'One command.',
} as const

const schema = {
  type: 'object',
  required: ['root', 'dryRun', 'steps', 'keys', 'notes', 'next'],
  properties: {
    root: { type: 'string', description: 'The root of the repository, absolute.' },
    dryRun: { type: 'boolean', description: 'Whether this was a dry run.' },
    steps: { type: 'array', items: Step, description: 'The steps.' },
    keys: {
      type: 'array',
      items: Key,
      description: 'The keys of the gateway, the log and the agents of the manifest.',
    },
    notes: {
      type: 'array',
      items: { type: 'string', description: 'A sentence.' },
      description: 'What is left to do in coding agents.',
    },
    next: { type: 'array', items: Command, description: 'Suggested next commands.' },
  },
  additionalProperties: false,
  title: 'Output of waybill init',
  description: 'The steps that set up a repository.',
} as const

/** One step, and what was done. */
export type InitStep = TypeOf<typeof Step>

/** The key of the gateway, the log or an agent, and where its private key is. */
export type InitKey = TypeOf<typeof Key>

/** The output of `init`. */
export type InitOutput = TypeOf<typeof schema>
export default schema
