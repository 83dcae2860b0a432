import Type, { type Static } from 'typebox'
import { Sections } from '../handoff-shapes.ts'
import { TextOrNull, Time, Words } from '../shapes.ts'

const Frontmatter = Type.Object(
  {
    mode: Type.Enum(['CREATE', 'RESUME'], {
      description: 'CREATE for a new document, RESUME for one that continues another.',
    }),
    adr_id: Type.String({
      pattern: '^ADR-[0-9]+\\.[0-9]+\\.[0-9]+(?![\\s\\S])',
      description: 'The decision record that the work belongs to.',
      examples: ['ADR-0.0.25'],
    }),
    branch: Words('The Git branch when the handoff was written.'),
    timestamp: Time('When the handoff was written.'),
    agent: Words('The agent that wrote the document.'),
    // The optional keys may also be empty or null, which means absent.
    obpi_id: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        pattern: '^(?:OBPI-[0-9]+\\.[0-9]+\\.[0-9]+-[0-9]{2})?(?![\\s\\S])',
        description: 'The current work item.',
        examples: ['OBPI-0.0.25-03'],
      }),
    ),
    session_id: Type.Optional(TextOrNull('The id of the session; quote it if it is a number.')),
    continues_from: Type.Optional(
      TextOrNull('The relative path of the handoff that this one continues.'),
    ),
  },
  {
    additionalProperties: false,
    description: 'The YAML between two lines of --- at the top of the document.',
  },
)

const schema = Type.Object(
  {
    frontmatter: Frontmatter,
    sections: Sections,
  },
  {
    additionalProperties: false,
    title: 'Handoff document',
    description: 'What the next session needs to continue the work.',
  },
)

export type HandoffDocument = Static<typeof schema>
export default schema
