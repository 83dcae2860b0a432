import Type from 'typebox'
import { TIMESTAMP_PATTERN } from '../document/index.ts'

/** A version 4 layout UUID or any other RFC 9562 one, as mission ids are. */
export const UUID = '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}(?![\\s\\S])'

/** A name or text that says something. */
export const Words = (description: string) => Type.String({ minLength: 1, description })

/** A date and time with a zone. */
export const Time = (description: string) =>
  Type.String({ pattern: TIMESTAMP_PATTERN, format: 'date-time', description, examples: ['2026-04-14T12:00:00Z'] })

/** The keys that every mission artifact begins with. */
export const artifact = <Name extends string>(name: Name) => ({
  schema_name: Type.Literal(name, { description: 'Which artifact this is.' }),
  schema_version: Type.Literal('v1', { description: 'Version of the artifact.' }),
  mission_id: Type.String({
    pattern: UUID,
    description: 'The mission that the artifact belongs to, a UUID.',
    examples: ['3f1c9a52-8f0e-4c55-9b1a-6b8f2f0f7a10'],
  }),
  created_at: Time('When the artifact was written.'),
  producer: Words('Who or what wrote the artifact.'),
})
