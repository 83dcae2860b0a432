import { findSecrets, maskSecrets } from '../../document/index.ts'

/** Shorter ones are words that stand elsewhere by chance. */
const SHORTEST = 6

/** Secrets of a text as they stand there, each with what may be shown instead; the longest first. */
export function secretsIn(text: string): (readonly [secret: string, mask: string])[] {
  const found = findSecrets(text).map(
    ({ span, mask }) => [text.slice(span.start, span.end), mask] as const,
  )
  const unique = new Map(found.filter(([secret]) => secret.length >= SHORTEST))
  return [...unique].sort(([a], [b]) => b.length - a.length)
}

/**
 * A copy of plain data that is fit to be shown: secrets are masked and characters that could rewrite a terminal or
 * hide in it are spelled out, in every string.
 *
 * Known secrets are those of the whole text: apart from its key, a value may no longer look like one.
 */
export function cleanse<T>(data: T, known: readonly (readonly [string, string])[]): T {
  const clean = (text: string) => visible(mask(text, known))
  const visit = (value: unknown): unknown => {
    if (typeof value === 'string') return clean(value)
    if (Array.isArray(value)) return value.map(visit)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, visit(inner)]))
  }
  return visit(data) as T
}

function mask(text: string, known: readonly (readonly [string, string])[]): string {
  let masked = text
  for (const [secret, shown] of known)
    if (masked.includes(secret)) masked = masked.replaceAll(secret, () => shown)
  return maskSecrets(masked)
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
