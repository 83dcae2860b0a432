import { findSecrets, maskSecrets } from '../document/index.ts'

/** As long a piece of a secret is given away by nobody. */
const PIECE = 8

/**
 * Makes words about a text fit to be shown: without what is known to be a secret by its form, and without any piece of
 * what the text shows to be one.
 *
 * All words must be given beforehand, for the pieces of the secrets are looked for among theirs: so time stays linear,
 * however many secrets and words there are. Secrets below `shortest` would strike out parts of ordinary words.
 */
export function discretion(
  text: string,
  words: readonly string[],
  shortest = 4,
): (said: string) => string {
  const secrets = findSecrets(text).flatMap(({ kind, span, mask }) => {
    const raw = text.slice(span.start, span.end)
    const meant = unescaped(raw)
    const read = meant === raw ? [raw] : [raw, meant]
    const parts = kind === 'private key' ? read.flatMap(linesOfKey) : read
    return parts.map(secret => ({ secret, mask }))
  })
  if (secrets.length === 0) return once(maskSecrets)
  // Few words about many secrets are the usual thing in a check; all words of a document about one are in a view.
  const areFew = lengthOf(words) < lengthOf(secrets.map(({ secret }) => secret))
  const said = areFew ? new Set(words.flatMap(word => piecesOf(word, PIECE))) : undefined
  const masks = new Map<string, string>()
  for (const { secret, mask } of secrets) {
    if (secret.length < PIECE && secret.length >= shortest) masks.set(secret, mask)
    for (let at = 0; at + PIECE <= secret.length; at++) {
      const piece = secret.slice(at, at + PIECE)
      if (said?.has(piece) !== false && !masks.has(piece)) masks.set(piece, mask)
    }
  }
  if (masks.size === 0) return once(maskSecrets)
  const lengths = [...new Set(Array.from(masks.keys(), piece => piece.length))]
  lengths.sort((a, b) => b - a)
  return once(word => strikeOut(maskSecrets(word), masks, lengths))
}

/** Between the lines of a key may stand whatever divides values: quotes, headings, names of fields. */
function linesOfKey(block: string): string[] {
  const runs = block.match(/[A-Za-z0-9+/=]+/g) ?? []
  return runs.filter(run => run.length >= PIECE && !/^[A-Z]?[a-z]{1,19}$/.test(run))
}

/** A hint, and often a message, is said again and again: it is looked through the first time. */
function once(mask: (said: string) => string): (said: string) => string {
  const known = new Map<string, string>()
  return said => {
    const masked = known.get(said) ?? mask(said)
    known.set(said, masked)
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

/** What overlaps or adjoins is one stretch and gets one mask. */
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

/** How a stretch of JSON is read by its parser. */
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
