import { endOfString } from './json-scan.ts'
import type { Member, ScalarNode, SourceNode } from './source-tree.ts'

const QUOTE = 34
const COMMA = 44
const COLON = 58
const OPEN_BRACKET = 91
const CLOSE_BRACKET = 93
const OPEN_BRACE = 123
const CLOSE_BRACE = 125

/**
 * The tree of a valid JSON text; each object and array is scanned only when its parts are requested.
 *
 * Locating a few parts in a large text costs a scan of the way to them, not an object per value.
 */
export function sourceTree(text: string): SourceNode {
  return nodeAt(text, skipSpace(text, 0))
}

function nodeAt(text: string, start: number): SourceNode {
  const span = { start, end: endOfValue(text, start) }
  let parts: readonly Member[] | readonly SourceNode[] | undefined
  switch (text.charCodeAt(start)) {
    case OPEN_BRACE:
      return {
        kind: 'object',
        span,
        get members() {
          parts ??= membersOf(text, start + 1)
          return parts as readonly Member[]
        },
      }
    case OPEN_BRACKET:
      return {
        kind: 'array',
        span,
        get items() {
          parts ??= itemsOf(text, start + 1)
          return parts as readonly SourceNode[]
        },
      }
    default:
      return { kind: 'scalar', span, value: null }
  }
}

function membersOf(text: string, from: number): Member[] {
  const members: Member[] = []
  for (let at = skipSpace(text, from); text.charCodeAt(at) === QUOTE; at = nextPart(text, at)) {
    const key = keyAt(text, at)
    const colon = skipSpace(text, key.span.end)
    const value = nodeAt(text, skipSpace(text, colon + 1))
    members.push({ key, value })
    at = value.span.end
  }
  return members
}

function keyAt(text: string, start: number): ScalarNode {
  const end = endOfString(text, start + 1)
  const written = text.slice(start + 1, end - 1)
  // The text is valid, so apart from escapes the key is what is between the quotes.
  const value = written.includes('\\') ? JSON.parse(`"${written}"`) : written
  return { kind: 'scalar', span: { start, end }, value }
}

function itemsOf(text: string, from: number): SourceNode[] {
  const items: SourceNode[] = []
  for (
    let at = skipSpace(text, from);
    text.charCodeAt(at) !== CLOSE_BRACKET;
    at = nextPart(text, at)
  ) {
    const item = nodeAt(text, at)
    items.push(item)
    at = item.span.end
  }
  return items
}

/** The offset of the next member or item, or of the closing bracket. */
function nextPart(text: string, end: number): number {
  const at = skipSpace(text, end)
  return text.charCodeAt(at) === COMMA ? skipSpace(text, at + 1) : at
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (text.charCodeAt(at) <= 32) at++
  return at
}

function endOfValue(text: string, start: number): number {
  const first = text.charCodeAt(start)
  if (first === QUOTE) return endOfString(text, start + 1)
  if (first !== OPEN_BRACE && first !== OPEN_BRACKET) return endOfWord(text, start)
  let depth = 0
  let at = start
  while (at < text.length) {
    const c = text.charCodeAt(at++)
    if (c === QUOTE) at = endOfString(text, at)
    else if (c === OPEN_BRACE || c === OPEN_BRACKET) depth++
    else if ((c === CLOSE_BRACE || c === CLOSE_BRACKET) && --depth === 0) break
  }
  return at
}

/** Numbers, `true`, `false` and `null` end before the next punctuation or space. */
function endOfWord(text: string, start: number): number {
  let at = start
  for (; at < text.length; at++) {
    const c = text.charCodeAt(at)
    if (c <= 32 || c === COMMA || c === CLOSE_BRACE || c === CLOSE_BRACKET || c === COLON) break
  }
  return at
}
