import Type from 'typebox'

const NUMBER = '(?:0|[1-9][0-9]*)'
const LABEL = `(?:${NUMBER}|[0-9]*[A-Za-z-][0-9A-Za-z-]*)`
const BUILD = '[0-9A-Za-z-]+'
const SEMVER = `^${NUMBER}\\.${NUMBER}\\.${NUMBER}(?:-${LABEL}(?:\\.${LABEL})*)?(?:\\+${BUILD}(?:\\.${BUILD})*)?(?![\\s\\S])`

/** A version in the form of Semantic Versioning 2.0. */
export const Version = (description: string) =>
  Type.String({ pattern: SEMVER, description, examples: ['1.0.0'] })

/** A SHA-256 digest in lower-case hexadecimal digits. */
export const Digest = (description: string) =>
  Type.String({
    pattern: '^[0-9a-f]{64}(?![\\s\\S])',
    description,
    examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
  })

/** The type of an agent. */
export const Kind = (description: string) =>
  Type.Enum(['domain', 'archetype', 'orchestrator'], { description })
