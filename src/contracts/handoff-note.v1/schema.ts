import Type, { type Static } from 'typebox'
import { Sections } from '../handoff-shapes.ts'
import { TextOrNull, TimeOrNull } from '../shapes.ts'

// A key may also be empty or null, which means absent.
const Frontmatter = Type.Object(
  {
    contract: Type.Optional(
      TextOrNull('handoff-note.v1, for a note whose file name does not tell what it is.'),
    ),
    mode: Type.Optional(
      Type.Unsafe<'CREATE' | 'RESUME' | null>({
        type: ['string', 'null'],
        pattern: '^(?:CREATE|RESUME)?(?![\\s\\S])',
        description: 'CREATE for a new note, RESUME for one that continues another handoff.',
        examples: ['CREATE'],
      }),
    ),
    branch: Type.Optional(TextOrNull('The Git branch when the note was written.')),
    timestamp: Type.Optional(
      TimeOrNull('When the note was written (default: the time in the file name).'),
    ),
    agent: Type.Optional(TextOrNull('The agent or person that wrote the note.')),
    session_id: Type.Optional(TextOrNull('The id of the session; quote it if it is a number.')),
    continues_from: Type.Optional(
      TextOrNull('The relative path of the handoff that this one continues.'),
    ),
    adopted_from: Type.Optional(
      TextOrNull('The file that waybill adopt made the note of, from the root.'),
    ),
    original: Type.Optional(
      Type.Unsafe<Readonly<Record<string, unknown>> | null>({
        type: ['object', 'null'],
        description: 'Keys of that file with values that a note may not have.',
      }),
    ),
    adr_id: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        pattern: '^(?:ADR-[0-9]+\\.[0-9]+\\.[0-9]+)?(?![\\s\\S])',
        description: 'The decision record that the work belongs to.',
        examples: ['ADR-0.0.25'],
      }),
    ),
  },
  {
    additionalProperties: true,
    description:
      'The YAML between two lines of --- at the top of the note; other keys are ignored.',
  },
)

const schema = Type.Object(
  { frontmatter: Type.Optional(Frontmatter), sections: Sections },
  {
    additionalProperties: false,
    title: 'Handoff note',
    description:
      'What the next session needs to continue the work, under headings of your own choice.',
  },
)

/** What the next session needs to continue the work, under headings of your own choice. */
export type HandoffNote = Static<typeof schema>
export default schema
