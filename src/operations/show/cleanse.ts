import { discretion } from '../../contract/index.ts'

/** In a whole document shorter ones are words that stand elsewhere by chance. */
const SHORTEST = 6

/**
 * A copy of plain data that is fit to be shown: secrets are masked and characters that could rewrite a terminal or
 * hide in it are spelled out, in every string.
 *
 * What is secret is known from the text that the data come from: apart from its key, or in lines of its own, a value
 * may no longer look like it.
 */
export function cleanse<T>(data: T, text: string): T {
  const mask = maskFor(data, text)
  return mapStrings(data, said => visible(mask(said))) as T
}

/** Masks in the strings of plain data what the text that they come from shows to be secret. */
export function maskFor(data: unknown, text: string): (said: string) => string {
  const words: string[] = []
  mapStrings(data, word => {
    words.push(word)
    return word
  })
  return discretion(text, words, SHORTEST)
}

/** A copy of plain data with another string in place of each. */
function mapStrings(data: unknown, change: (text: string) => string): unknown {
  if (typeof data === 'string') return change(data)
  if (Array.isArray(data)) return data.map(inner => mapStrings(inner, change))
  if (typeof data !== 'object' || data === null) return data
  const members = Object.entries(data)
  return Object.fromEntries(members.map(([key, inner]) => [key, mapStrings(inner, change)]))
}

/** Control and format characters, but for line ends, tabs and the joiners inside emoji. */
const HIDDEN =
  /(?!(?<=\p{Extended_Pictographic}\ufe0f?)\u200d(?=\p{Extended_Pictographic}))(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

/** A text of several lines with the characters spelled out that could rewrite a terminal or hide in it. */
export function visible(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(HIDDEN, character => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)
}
