import { discretion } from '../../contract/index.ts'

/** Shorter secrets would match ordinary words in a whole document. */
const SHORTEST = 6

/**
 * Returns a copy of plain data that is safe to show: secrets are masked, and characters that could hide or change the
 * terminal are escaped.
 *
 * Secrets are found in the source text, because a value without its key or in separate lines may not look like one.
 */
export function cleanse<T>(data: T, text: string): T {
  const mask = maskFor(data, text)
  return mapStrings(data, said => visible(mask(said))) as T
}

/** Returns a function that masks the secrets found in the text and the data. */
export function maskFor(data: unknown, text: string): (said: string) => string {
  const words: string[] = []
  mapStrings(data, word => {
    words.push(word)
    return word
  })
  return discretion(text, words, SHORTEST)
}

/** Returns a copy of plain data with each string changed. */
function mapStrings(data: unknown, change: (text: string) => string): unknown {
  if (typeof data === 'string') return change(data)
  if (Array.isArray(data)) return data.map(inner => mapStrings(inner, change))
  if (typeof data !== 'object' || data === null) return data
  const members = Object.entries(data)
  return Object.fromEntries(members.map(([key, inner]) => [key, mapStrings(inner, change)]))
}

/** Control and format characters, except line ends, tabs and joiners inside emoji. */
const HIDDEN =
  /(?!(?<=\p{Extended_Pictographic}\ufe0f?)\u200d(?=\p{Extended_Pictographic}))(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

const PLAIN = /^[\n\t -~]*$/

/** Escapes characters that could hide or change the terminal. */
export function visible(text: string): string {
  if (PLAIN.test(text)) return text
  return text
    .replaceAll('\r\n', '\n')
    .replace(HIDDEN, character => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)
}
