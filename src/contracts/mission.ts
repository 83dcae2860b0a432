import Type from 'typebox'
import { MISSION_ID } from './mission-id.ts'
import { StandardTime, Words } from './shapes.ts'

/** No white space, control characters or characters that RFC 3986 excludes; letters of every script are allowed. */
const NOT_IN_URL =
  '\\u0000-\\u0020\\u007f-\\u00a0\\u2000-\\u200f\\u2028-\\u202f\\u3000\\ufeff"<>\\\\^`{|}'
const LABEL = `[^${NOT_IN_URL}.:/?#@%\\[\\]]+`
const HOST = `(?:${LABEL}(?:[.]${LABEL})*[.]?|\\[[0-9A-Fa-f:.]+\\])`
const URL_PATTERN = `^[Hh][Tt][Tt][Pp][Ss]?://${HOST}(?::[0-9]{1,5})?(?:[/?#][^${NOT_IN_URL}]*)?(?![\\s\\S])`

/** The keys that every mission artifact has. */
export const artifact = <Name extends string>(name: Name) => ({
  schema_name: Type.Literal(name, { description: 'The type of the artifact.' }),
  schema_version: Type.Literal('v1', { description: 'The version of the artifact.' }),
  mission_id: Type.String({
    pattern: MISSION_ID,
    description: 'The id of its mission, a UUID.',
    examples: ['3f1c9a52-8f0e-4c55-9b1a-6b8f2f0f7a10'],
  }),
  created_at: StandardTime('When the artifact was written.'),
  producer: Words('The person or program that wrote the artifact.'),
})

/** The keys of artifacts other than the envelope: tenant and actor default to the mission's. */
export const missionArtifact = <Name extends string>(name: Name) => ({
  ...artifact(name),
  tenant_id: Type.Optional(Words("The mission's tenant.")),
  actor_id: Type.Optional(Words("The mission's actor.")),
})

/** A severity or risk. */
export const Level = (description: string) =>
  Type.Enum(['low', 'medium', 'high', 'critical'], { description })

/** The role of an agent in a mission. */
export const RoleType = (description: string) =>
  Type.Enum(
    ['planner', 'prompt_master', 'researcher', 'librarian', 'worker', 'aggregator', 'reviewer'],
    { description },
  )

/** A confidence from 0 to 1. */
export const Score = (description: string) => Type.Number({ minimum: 0, maximum: 1, description })

/** A list of non-empty names or texts. */
export const WordList = (description: string) =>
  Type.Array(Words('A non-empty text.'), { description })

/** An object with free keys. */
export const Content = (description: string) =>
  Type.Record(Type.String(), Type.Unknown(), { description })

/** An absolute URL. */
export const WebUrl = (description: string) =>
  Type.String({
    pattern: URL_PATTERN,
    description,
    examples: ['https://example.com/report'],
  })
