/** How JSON writes the character that no database keeps. */
const NULL = /(?<!\\)(?:\\\\)*\\u0000/

/** Tells whether a text of JSON holds the character U+0000, which no database keeps. */
export function holdsNull(json: string): boolean {
  return NULL.test(json)
}
