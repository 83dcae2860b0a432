import Type from 'typebox'
import { MISSION_ID } from './mission-id.ts'
import { Time, Words } from './shapes.ts'

/** Blanks, control characters and what RFC 3986 keeps out of URLs; letters of every script may stand in one. */
const NOT_IN_URL =
  '\\u0000-\\u0020\\u007f-\\u00a0\\u2000-\\u200f\\u2028-\\u202f\\u3000\\ufeff"<>\\\\^`{|}'
const LABEL = `[^${NOT_IN_URL}.:/?#@%\\[\\]]+`
const HOST = `(?:${LABEL}(?:[.]${LABEL})*[.]?|\\[[0-9A-Fa-f:.]+\\])`
const URL_PATTERN = `^[Hh][Tt][Tt][Pp][Ss]?://${HOST}(?::[0-9]{1,5})?(?:[/?#][^${NOT_IN_URL}]*)?(?![\\s\\S])`

/** The keys that every mission artifact begins with. */
export const artifact = <Name extends string>(name: Name) => ({
  schema_name: Type.Literal(name, { description: 'Which artifact this is.' }),
  schema_version: Type.Literal('v1', { description: 'The version of the artifact.' }),
  mission_id: Type.String({
    pattern: MISSION_ID,
    description: 'The mission that the artifact belongs to, a UUID.',
    examples: ['3f1c9a52-8f0e-4c55-9b1a-6b8f2f0f7a10'],
  }),
  created_at: Time('When the artifact was written.'),
  producer: Words('Who or what wrote the artifact.'),
})

/** The same for the artifacts beside the envelope, whose tenant and actor are the mission's, written or not. */
export const missionArtifact = <Name extends string>(name: Name) => ({
  ...artifact(name),
  tenant_id: Type.Optional(Words("The mission's tenant.")),
  actor_id: Type.Optional(Words("The mission's actor.")),
})

/** How much something weighs or endangers. */
export const Level = (description: string) =>
  Type.Enum(['low', 'medium', 'high', 'critical'], { description })

/** The part that an agent plays in a mission. */
export const RoleType = (description: string) =>
  Type.Enum(
    ['planner', 'prompt_master', 'researcher', 'librarian', 'worker', 'aggregator', 'reviewer'],
    { description },
  )

/** How sure somebody is, from 0 to 1. */
export const Score = (description: string) => Type.Number({ minimum: 0, maximum: 1, description })

/** A list of names or texts of at least one character each. */
export const WordList = (description: string) =>
  Type.Array(Words('One entry, a text that is not empty.'), { description })

/** An object whose keys are the business of whoever wrote it. */
export const Content = (description: string) =>
  Type.Record(Type.String(), Type.Unknown(), { description })

/** An absolute URL that a browser can open. */
export const WebUrl = (description: string) =>
  Type.String({
    pattern: URL_PATTERN,
    description,
    examples: ['https://example.com/report'],
  })
