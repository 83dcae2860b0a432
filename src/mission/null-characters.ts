/** U+0000 as JSON escapes it. */
const NULL = /(?<!\\)(?:\\\\)*\\u0000/

/** Reports whether a JSON text contains U+0000, which PostgreSQL cannot store. */
export function holdsNull(json: string): boolean {
  return NULL.test(json)
}
