import { quote } from '../contract/index.ts'
import type { Agent, Agents } from './agents.ts'

/** ASCII only, so that ids are distinguishable and valid in file names. */
const PLAIN_ID = /^[A-Za-z0-9][A-Za-z0-9._-]*$/

/** In characters; logs and findings cannot repeat a longer id in full. */
const LONGEST_ID = 128

/** Why an id cannot be canonical, by its first invalid character; `undefined` if it can. */
export function strangenessOf(id: string): string | undefined {
  if (id.length > LONGEST_ID) return `is longer than ${LONGEST_ID} characters`
  if (PLAIN_ID.test(id) && !id.includes('..')) return undefined
  const strange = [...id].find(character => !/[A-Za-z0-9._-]/.test(character))
  if (strange !== undefined) return `contains ${characterName(strange)}`
  return /^[._-]/.test(id) ? `begins with ${characterName(id)}` : "contains '..'"
}

/** The first character with its code point, since it may look like another. */
function characterName(text: string): string {
  const code = text.codePointAt(0) ?? 0
  return `${quote(String.fromCodePoint(code))} (U+${code.toString(16).toUpperCase().padStart(4, '0')})`
}

/** The agent whose canonical id looks like an unknown id. */
export function lookalikeOf(id: string, { all }: Agents): Agent | undefined {
  const given = looksOf(id)
  return all.find(agent => {
    const known = looksOf(agent.id)
    return known.length === given.length && known.every((one, at) => looksLike(given[at], one))
  })
}

/** A key that is equal for ids that look alike. */
export const appearanceOf = (id: string): string => looksOf(id).join('')

/** Drops marks and invisible characters, and maps ASCII characters that look alike to one. */
function looksOf(id: string): readonly string[] {
  const seen = id.normalize('NFKD').replace(/[\p{M}\p{Cf}]/gu, '')
  return [...seen.replace(/[0O]/g, 'o').replace(/[1I|]/g, 'l').replaceAll('rn', 'm')]
}

/** A list of lookalike letters would be incomplete, so a non-ASCII character matches any. */
function looksLike(given: string | undefined, known: string): boolean {
  return given === known || (given !== undefined && (given.codePointAt(0) ?? 0) > 0x7f)
}
