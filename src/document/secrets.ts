import type { Span } from './document.ts'
import { readEscapes } from './json-escapes.ts'
import {
  ANY_KEY_PREFIX,
  type Detector,
  type DetectorGroup,
  KEY_FORMATS,
  LONG_RUN,
  MOST_SHOWN,
  PREFIX_REACH,
  SHAPES,
} from './secret-formats.ts'

/** A range of text that looks like a credential, described without repeating it. */
export interface Secret {
  /** Its kind: `GitHub token`. */
  readonly kind: string
  /** The secret without its label; the label if nothing follows it. */
  readonly span: Span
  /** The text to show instead: at most four characters of a published prefix, then `…`. */
  readonly mask: string
}

/**
 * Finds possible credentials in text order; overlapping matches become one of the more specific kind.
 *
 * Also finds those that appear only after decoding JSON escapes, such as `https:\\/\\/` or `\\u0026`.
 */
export function findSecrets(text: string): readonly Secret[] {
  if (text !== last.text) last = { text, secrets: searchSecrets(text) }
  return last.secrets
}

/** Cached: the rule, messages and excerpts search the same text in turn. */
let last: { text: string; secrets: readonly Secret[] } = { text: '', secrets: [] }

function searchSecrets(text: string): Secret[] {
  const found = findAsWritten(text)
  const read = readEscapes(text)
  if (read) {
    for (const { kind, span, mask, rank } of findAsWritten(read.text)) {
      const start = read.sourceOf(span.start)
      found.push({ kind, mask, rank, span: { start, end: read.sourceOf(span.end) } })
    }
  }
  if (found.length === 0) return []
  return mergeOverlaps(found).map(({ kind, span, mask }) => ({ kind, span, mask }))
}

function findAsWritten(text: string): Find[] {
  const found: Find[] = []
  let rank = 0
  for (const { sign, detectors } of [...keyFormatsIn(text), ...SHAPES]) {
    if (!sign.test(text)) continue
    for (const detector of detectors) {
      for (const find of matchesOf(detector, rank, text)) found.push(find)
      rank += 1
    }
  }
  return found
}

/** Replaces every secret in a text by its mask, for display or logs. Mask before shortening a text. */
export function maskSecrets(text: string): string {
  let masked = ''
  let from = 0
  // Do not cache messages: they would evict the text that they are about.
  for (const { span, mask } of searchSecrets(text)) {
    masked += text.slice(from, span.start) + mask
    from = span.end
  }
  return masked + text.slice(from)
}

type Find = Secret & { rank: number }

/** The earlier detector is more specific; its match grows by overlapping ones. */
function mergeOverlaps(found: Find[]): Find[] {
  found.sort((a, b) => a.span.start - b.span.start || a.rank - b.rank)
  const merged: Find[] = []
  for (const next of found) {
    const last = merged.at(-1)
    if (!last || next.span.start >= last.span.end) merged.push(next)
    else {
      const span = { start: last.span.start, end: Math.max(last.span.end, next.span.end) }
      merged[merged.length - 1] = { ...(next.rank < last.rank ? next : last), span }
    }
  }
  return merged
}

function matchesOf({ kind, pattern, shown, accept }: Detector, rank: number, text: string): Find[] {
  const found: Find[] = []
  for (const match of text.matchAll(pattern)) {
    const [all, ...groups] = match
    const secret = groups.find(group => group !== undefined && group !== '')
    const value = secret ?? all
    if (accept && !accept(value)) continue
    const end = match.index + all.length
    const isLabelOnly = groups.length > 0 && secret === undefined
    const mask = `${value.slice(0, isLabelOnly ? MOST_SHOWN : shown)}…`
    found.push({ kind, span: { start: end - value.length, end }, mask, rank })
  }
  return found
}

/** Most texts have no run of characters as long as a key; where one does, only that place is tested for prefixes. */
function keyFormatsIn(text: string): readonly DetectorGroup[] {
  const places: string[] = []
  for (let start = 0; start + LONG_RUN <= text.length; ) {
    // Testing from the end of a possible run skips short runs in one step.
    let end = start + LONG_RUN
    while (end > start && isKeyCharacter(text.charCodeAt(end - 1))) end--
    if (end > start) {
      start = end
      continue
    }
    end = start + LONG_RUN
    while (isKeyCharacter(text.charCodeAt(end))) end++
    const place = text.slice(Math.max(0, start - PREFIX_REACH), end + 1)
    if (ANY_KEY_PREFIX.test(place)) places.push(place)
    start = end
  }
  return places.length === 0
    ? []
    : KEY_FORMATS.filter(({ sign }) => places.some(place => sign.test(place)))
}

const KEY_CHARACTER = Uint8Array.from({ length: 128 }, (_, code) =>
  /[A-Za-z0-9_-]/.test(String.fromCharCode(code)) ? 1 : 0,
)

function isKeyCharacter(code: number): boolean {
  return code < 128 && KEY_CHARACTER[code] === 1
}
