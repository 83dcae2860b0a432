import { quote } from '../contract/index.ts'
import type { Agent, Agents } from './agents.ts'

/** Letters, digits, and marks between them: no two such ids look alike, and each can be part of a file name. */
const PLAIN_ID = /^[A-Za-z0-9][A-Za-z0-9._-]*$/

/** The first character of an id that a canonical id may not have there; `undefined` where it is written plainly. */
export function strangeCharacter(id: string): string | undefined {
  if (PLAIN_ID.test(id) && !id.includes('..')) return undefined
  return (
    [...id].find(
      (character, at) => !(at === 0 ? /[A-Za-z0-9]/ : /[A-Za-z0-9._-]/).test(character),
    ) ?? '..'
  )
}

/** A character that may look like another, with the number that tells them apart. */
export function characterName(character: string): string {
  const code = character.codePointAt(0) ?? 0
  return `${quote(character)} (U+${code.toString(16).toUpperCase().padStart(4, '0')})`
}

/** The agent whose canonical id an unknown id only looks like: but for characters that people take for one another. */
export function lookalikeOf(id: string, { all }: Agents): Agent | undefined {
  const given = looksOf(id)
  return all.find(agent => {
    const known = looksOf(agent.id)
    return known.length === given.length && known.every((one, at) => looksLike(given[at], one))
  })
}

/** Without marks and what nobody sees; of ASCII characters that look alike, one for all. */
function looksOf(id: string): readonly string[] {
  const seen = id.normalize('NFKD').replace(/[\p{M}\p{Cf}]/gu, '')
  return [...seen.replace(/[0O]/g, 'o').replace(/[1I|]/g, 'l').replaceAll('rn', 'm')]
}

/** No list of all letters of all scripts would be whole: one that is not ASCII may stand for any. */
function looksLike(given: string | undefined, known: string): boolean {
  return given === known || (given !== undefined && (given.codePointAt(0) ?? 0) > 0x7f)
}
