import { quote } from '../contract/index.ts'
import type { Agent, Agents } from './agents.ts'

/** Letters, digits, and marks between them: no two such ids look alike, and each can be part of a file name. */
const PLAIN_ID = /^[A-Za-z0-9][A-Za-z0-9._-]*$/

/** In characters; a longer id is repeated nowhere, so nothing about its agent would be found again. */
const LONGEST_ID = 128

/** What is strange about an id that is no canonical one, by its first such character; `undefined` where it is written plainly. */
export function strangenessOf(id: string): string | undefined {
  if (id.length > LONGEST_ID) return `is longer than ${LONGEST_ID} characters`
  if (PLAIN_ID.test(id) && !id.includes('..')) return undefined
  const strange = [...id].find(character => !/[A-Za-z0-9._-]/.test(character))
  if (strange !== undefined) return `has ${characterName(strange)} in it`
  return /^[._-]/.test(id) ? `begins with ${characterName(id)}` : "has '..' in it"
}

/** The first character, which may look like another, with the number that tells them apart. */
function characterName(text: string): string {
  const code = text.codePointAt(0) ?? 0
  return `${quote(String.fromCodePoint(code))} (U+${code.toString(16).toUpperCase().padStart(4, '0')})`
}

/** The agent whose canonical id an unknown id only looks like: but for characters that people take for one another. */
export function lookalikeOf(id: string, { all }: Agents): Agent | undefined {
  const given = looksOf(id)
  return all.find(agent => {
    const known = looksOf(agent.id)
    return known.length === given.length && known.every((one, at) => looksLike(given[at], one))
  })
}

/** What two ids have in common that people take for each other. */
export const appearanceOf = (id: string): string => looksOf(id).join('')

/** Without marks and what nobody sees; of ASCII characters that look alike, one for all. */
function looksOf(id: string): readonly string[] {
  const seen = id.normalize('NFKD').replace(/[\p{M}\p{Cf}]/gu, '')
  return [...seen.replace(/[0O]/g, 'o').replace(/[1I|]/g, 'l').replaceAll('rn', 'm')]
}

/** No list of all letters of all scripts would be whole: one that is not ASCII may stand for any. */
function looksLike(given: string | undefined, known: string): boolean {
  return given === known || (given !== undefined && (given.codePointAt(0) ?? 0) > 0x7f)
}
