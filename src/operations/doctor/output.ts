import Type from 'typebox'
import type { OutputOf } from '../operation.ts'

const closed = { additionalProperties: false } as const

const Item = Type.Object(
  {
    name: Type.String({ description: 'What was looked at.' }),
    status: Type.Enum(['ok', 'warning', 'error'], { description: 'How it was found.' }),
    message: Type.String({ description: 'What was found.' }),
    remedy: Type.Optional(
      Type.String({ description: 'What to do about it, where it is not well.' }),
    ),
  },
  { ...closed, description: 'One thing that was looked at.' },
)

const count = (description: string) => Type.Integer({ minimum: 0, description })

const schema = Type.Object(
  {
    summary: Type.Object(
      {
        ok: count('How many things are as they should be.'),
        warnings: count('How many things work, but not as well as they could.'),
        errors: count('How many things keep Waybill from working here.'),
      },
      { ...closed, description: 'The result in figures.' },
    ),
    items: Type.Array(Item, { description: 'Everything that was looked at.' }),
  },
  {
    ...closed,
    title: 'Output of waybill doctor',
    description: 'How the installation and the repository are, and what to do.',
  },
)

/** One thing that was looked at: what was found and, where it is not well, what to do. */
export type DoctorItem = OutputOf<typeof Item>

/** What `doctor` answers. */
export type DoctorOutput = OutputOf<typeof schema>
export default schema
