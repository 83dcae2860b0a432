import Type from 'typebox'

const Section = Type.Object(
  {
    title: Type.String({ description: 'The text of the heading.' }),
    level: Type.Integer({ minimum: 1, maximum: 2, description: 'The level of the heading.' }),
    body: Type.String({ description: 'The text from the heading to the next one.' }),
  },
  { additionalProperties: false },
)

/** The sections of a Markdown text. */
export const Sections = Type.Array(Section, {
  description: 'The headings of level 1 and 2 with their text.',
})
