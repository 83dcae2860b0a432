import Type, { type Static } from 'typebox'
import { TextOrNull, Time, Words } from '../shapes.ts'

const Frontmatter = Type.Object(
  {
    mode: Type.Enum(['CREATE', 'RESUME'], {
      description: 'CREATE for a new document, RESUME for one that carries another on.',
    }),
    adr_id: Type.String({
      pattern: '^ADR-[0-9]+\\.[0-9]+\\.[0-9]+(?![\\s\\S])',
      description: 'The decision record that the work belongs to.',
      examples: ['ADR-0.0.25'],
    }),
    branch: Words('The Git branch at the time of the handoff.'),
    timestamp: Time('When the handoff was written.'),
    agent: Words('The agent that wrote the document.'),
    // The optional keys may also be empty or null, which says the same as leaving them out.
    obpi_id: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        pattern: '^(?:OBPI-[0-9]+\\.[0-9]+\\.[0-9]+-[0-9]{2})?(?![\\s\\S])',
        description: 'The work item that was being worked on.',
        examples: ['OBPI-0.0.25-03'],
      }),
    ),
    session_id: Type.Optional(
      TextOrNull('What groups the documents of one session; in quotes if it is a number.'),
    ),
    continues_from: Type.Optional(
      TextOrNull('The relative path of the handoff that this one carries on.'),
    ),
  },
  {
    additionalProperties: false,
    description: 'The YAML between two lines of --- at the very top of the document.',
  },
)

const Section = Type.Object(
  {
    title: Type.String({ description: 'The text of the heading.' }),
    level: Type.Integer({ minimum: 1, maximum: 2, description: 'The level of the heading.' }),
    body: Type.String({ description: 'What stands below the heading, up to the next one.' }),
  },
  { additionalProperties: false },
)

const schema = Type.Object(
  {
    frontmatter: Frontmatter,
    sections: Type.Array(Section, {
      description: 'The headings of level 1 and 2 with their text.',
    }),
  },
  {
    additionalProperties: false,
    title: 'Handoff document',
    description: 'What a session leaves behind so that the next one can go on without loss.',
  },
)

/** What a session leaves behind so that the next one can go on without loss. */
export type HandoffDocument = Static<typeof schema>
export default schema
