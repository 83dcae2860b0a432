import { findSecrets, maskSecrets } from '../document/index.ts'

/** Length in characters from which a piece of a secret is masked. */
const PIECE = 8

/**
 * Returns a function that masks known secrets, and pieces of the secrets found in `text`, in words about that text.
 *
 * Pass all words beforehand: only their pieces are looked up, so time stays linear. Secrets below `shortest` are
 * skipped: they would mask parts of ordinary words.
 */
export function discretion(
  text: string,
  words: readonly string[],
  shortest = 4,
): (word: string) => string {
  const secrets = findSecrets(text).flatMap(({ kind, span, mask }) => {
    const raw = text.slice(span.start, span.end)
    const meant = unescaped(raw)
    const read = meant === raw ? [raw] : [raw, meant]
    const parts = kind === 'private key' ? read.flatMap(linesOfKey) : read
    return parts.map(secret => ({ secret, mask }))
  })
  if (secrets.length === 0) return once(maskSecrets)
  // A check has few words about many secrets; a view has many words about few.
  const areFew = lengthOf(words) < lengthOf(secrets.map(({ secret }) => secret))
  const pieces = areFew ? new Set(words.flatMap(word => piecesOf(word, PIECE))) : undefined
  const masks = new Map<string, string>()
  for (const { secret, mask } of secrets) {
    if (secret.length < PIECE && secret.length >= shortest) masks.set(secret, mask)
    for (let at = 0; at + PIECE <= secret.length; at++) {
      const piece = secret.slice(at, at + PIECE)
      if (pieces?.has(piece) !== false && !masks.has(piece)) masks.set(piece, mask)
    }
  }
  if (masks.size === 0) return once(maskSecrets)
  const lengths = [...new Set(Array.from(masks.keys(), piece => piece.length))]
  lengths.sort((a, b) => b - a)
  return once(word => strikeOut(maskSecrets(word), masks, lengths))
}

/** Quotes, headings or field names may separate the lines of a key. */
function linesOfKey(block: string): string[] {
  const runs = block.match(/[A-Za-z0-9+/=]+/g) ?? []
  return runs.filter(run => run.length >= PIECE && !/^[A-Z]?[a-z]{1,19}$/.test(run))
}

/** Caches results, since hints and messages repeat. */
function once(mask: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>()
  return text => {
    const masked = known.get(text) ?? mask(text)
    known.set(text, masked)
    return masked
  }
}

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + length, 0)
}

function piecesOf(word: string, length: number): string[] {
  const pieces: string[] = []
  for (let at = 0; at + length <= word.length; at++) pieces.push(word.slice(at, at + length))
  return pieces
}

/** Masks overlapping or adjacent matches as one. */
function strikeOut(
  word: string,
  masks: ReadonlyMap<string, string>,
  lengths: readonly number[],
): string {
  let clean = ''
  let struck = 0
  for (let at = 0; at < word.length; at++) {
    for (const length of lengths) {
      const mask = masks.get(word.slice(at, at + length))
      if (mask === undefined || at + length > word.length) continue
      if (at >= struck || struck === 0) clean += mask
      struck = Math.max(struck, at + length)
      break
    }
    if (at >= struck) clean += word[at]
  }
  return clean
}

/** A stretch of JSON as its parser reads it. */
function unescaped(raw: string): string {
  if (!raw.includes('\\')) return raw
  return raw.replace(/\\(?:u([0-9a-fA-F]{4})|([\s\S]))/g, (_, code?: string, character?: string) =>
    code === undefined ? (SHORT[character ?? ''] ?? character ?? '') : hex(code),
  )
}

function hex(code: string): string {
  return String.fromCharCode(Number.parseInt(code, 16))
}

const SHORT: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }
