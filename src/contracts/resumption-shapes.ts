import Type from 'typebox'
import { TextOrNull } from './shapes.ts'
import { Flag, OPEN } from './state-shapes.ts'

/** An optional text, or null. */
export const MaybeText = (description: string) => Type.Optional(TextOrNull(description))

/** A path, or an object with the path: real files use both. */
const FileToRead = Type.Unsafe<
  string | { path: string; priority?: string | number | null; purpose?: string | null }
>({
  type: ['string', 'object'],
  required: ['path'],
  properties: {
    path: Type.String({ minLength: 1, description: 'The path of the file.' }),
    priority: Type.Unsafe({
      type: ['string', 'integer', 'null'],
      description: 'How early to read it.',
    }),
    purpose: TextOrNull('Why to read it.'),
  },
  ...OPEN,
  description: 'A path, or an object with `path`, `priority` and `purpose`.',
})

/** What the next session needs to resume. */
export const Resumption = Type.Object(
  {
    last_checkpoint: MaybeText('The checkpoint to resume from.'),
    current_state: MaybeText('The current state of the work.'),
    next_action: MaybeText('What to do next.'),
    next_step: MaybeText('What to do next.'),
    files_to_read: Type.Optional(Type.Array(FileToRead, { description: 'Files to read first.' })),
    cross_session_portable: Flag('Whether another session can take over.'),
    ephemeral_references: Flag('Whether it refers to state that is lost with the session.'),
  },
  { ...OPEN, description: 'What the next session needs to resume.' },
)
