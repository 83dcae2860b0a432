import { maskSecrets } from '../document/index.ts'

/** Length from which values are shortened in messages. */
export const LONGEST = 60

/** How much of either end of a value is read, so that secrets in the part shown are recognised. */
const ENOUGH = 12_000

/** A value for use in a message: short, on one line, with control characters escaped. */
export function quote(value: unknown): string {
  // Mask first: a shortened secret is no longer recognised.
  const whole = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))
  const isShort = whole.length <= 2 * ENOUGH
  const ends = isShort ? whole : `${whole.slice(0, ENOUGH)}…${whole.slice(-ENOUGH)}`
  const text = maskSecrets(ends)
  const short = text.length > LONGEST ? shorten(text) : text
  // Unusual spaces would look like ordinary ones.
  return `'${spelled(short).replace(/(?! )\p{Zs}/gu, spell)}'`
}

/** Masks credentials in words that may repeat user input. */
export function withoutSecrets(text: string): string {
  return maskSecrets(text)
}

/** A text on one line, with characters escaped that could rewrite a terminal or hide in a review. */
export function spelled(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, spell)
}

/** Shortens a text at its end, a path in its middle. */
function shorten(text: string): string {
  if (!text.includes('/') || /\s/.test(text)) return `${text.slice(0, LONGEST)}…`
  return `${text.slice(0, LONGEST / 3)}…${text.slice(-(2 * LONGEST) / 3)}`
}

/** Quotes a text as one word of a shell command. */
export function shellWord(text: string): string {
  const plain = spelled(text)
  if (/^[\w./@%+=:,][\w./@%+=:,-]*$/.test(plain)) return plain
  // Quoting does not keep a program from reading a word as a flag.
  const word = plain.startsWith('-') ? `./${plain}` : plain
  return `'${word.replaceAll("'", "'\\''")}'`
}

function spell(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
}

/** The kind of a JSON value, with its article. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  switch (typeof value) {
    case 'object':
      return 'an object'
    case 'string':
      return 'a string'
    case 'number':
      return 'a number'
    case 'boolean':
      return 'a boolean'
    default:
      return 'nothing'
  }
}

/** `a, b and c`. */
export function listed(words: readonly string[], last = 'and'): string {
  if (words.length < 2) return words.join('')
  return `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`
}

/** `1 task`, `2 tasks`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`
}

/** The candidate probably meant: equal but for case and separators, or at most a third of its letters away. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length > LONGEST) return undefined
  const plain = flatten(word)
  let best: string | undefined
  let fewest = Math.floor(Math.max(plain.length, 3) / 3) + 1
  for (const candidate of candidates) {
    const edits = distance(plain, flatten(candidate), fewest)
    if (edits < fewest) {
      best = candidate
      fewest = edits
    }
  }
  return best
}

/** A word in lower case without separators. */
export function flatten(word: string): string {
  return word.toLowerCase().replace(/[_\-. ]/g, '')
}

/** The edit distance of two words, where swapped neighbours count as one edit; gives up at `limit`. */
function distance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit
  let beforeLast: readonly number[] = []
  let last: readonly number[] = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) row.push(edits(a, b, i, j, { row, last, beforeLast }))
    beforeLast = last
    last = row
  }
  return Math.min(last[b.length] ?? limit, limit)
}

interface Rows {
  readonly row: readonly number[]
  readonly last: readonly number[]
  readonly beforeLast: readonly number[]
}

/** One cell of the edit distance table: the first `i` letters of one word, the first `j` of the other. */
function edits(
  a: string,
  b: string,
  i: number,
  j: number,
  { row, last, beforeLast }: Rows,
): number {
  const at = (cells: readonly number[], index: number) => cells[index] ?? Number.POSITIVE_INFINITY
  const changed = at(last, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
  const fewest = Math.min(at(row, j - 1) + 1, at(last, j) + 1, changed)
  const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
  return swapped ? Math.min(fewest, at(beforeLast, j - 2) + 1) : fewest
}
