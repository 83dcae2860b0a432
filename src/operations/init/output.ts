import Type from 'typebox'
import type { OutputOf } from '../operation.ts'

const closed = { additionalProperties: false } as const

const Step = Type.Object(
  {
    path: Type.String({ description: 'The file or folder, from the root.' }),
    action: Type.Enum(['created', 'changed', 'kept'], {
      description: 'What became of it, or would with `--dry-run`.',
    }),
    note: Type.String({ description: 'What it is for, or why it was left alone.' }),
  },
  { ...closed, description: 'One thing that makes a repository ready.' },
)

const Command = Type.Object(
  {
    command: Type.String({ description: 'What to type.' }),
    does: Type.String({ description: 'What it does.' }),
  },
  { ...closed, description: 'One command.' },
)

const schema = Type.Object(
  {
    root: Type.String({ description: 'The root of the repository, absolute.' }),
    dryRun: Type.Boolean({ description: 'Whether nothing was done.' }),
    steps: Type.Array(Step, { description: 'Everything that a ready repository has.' }),
    next: Type.Array(Command, { description: 'What to do next.' }),
  },
  {
    ...closed,
    title: 'Output of waybill init',
    description: 'What was done to make a repository ready, and what was there already.',
  },
)

/** One thing that makes a repository ready, and what became of it. */
export type InitStep = OutputOf<typeof Step>

/** What `init` did, or with `dryRun` would do. */
export type InitOutput = OutputOf<typeof schema>
export default schema
