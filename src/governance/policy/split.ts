/** The text of one policy, with its offset in the file. */
export interface Piece {
  readonly start: number
  readonly text: string
  /** The nesting depth of its brackets. */
  readonly depth: number
}

/** White space, comments and strings as in Cedar's lexer, brackets, and the end of a policy. */
const TOKEN = /\s+|\/\/[^\n\r]*|"(?:\\[\s\S]|[^"\\])*"|[()[\]{};]|[^\s/"()[\]{};]+|[\s\S]/gy

/**
 * Splits a text into policies, each up to its semicolon.
 *
 * Drops only white space and comments between policies, so the parser sees everything else.
 */
export function splitPolicies(text: string): Piece[] {
  const pieces: Piece[] = []
  let start = -1
  let depth = 0
  let deepest = 0
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (start < 0) {
      if (/^\s/.test(token) || token.startsWith('//')) continue
      start = index
      depth = 0
      deepest = 0
    }
    depth += STEPS.get(token) ?? 0
    deepest = Math.max(deepest, depth)
    if (token !== ';') continue
    pieces.push({ start, text: text.slice(start, index + 1), depth: deepest })
    start = -1
  }
  if (start >= 0) pieces.push({ start, text: text.slice(start), depth: deepest })
  return pieces
}

/** How each bracket changes the depth. */
const STEPS: ReadonlyMap<string, number> = new Map([
  ...['(', '[', '{'].map(open => [open, 1] as const),
  ...[')', ']', '}'].map(close => [close, -1] as const),
])

/** A condition as written, between its braces. */
interface WrittenCondition {
  readonly kind: 'when' | 'unless'
  readonly body: string
}

/** The conditions of one policy, in order. */
export function conditionsIn(text: string): WrittenCondition[] {
  const found: WrittenCondition[] = []
  let kind: WrittenCondition['kind'] = 'when'
  let start = 0
  let depth = 0
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === 'when' || token === 'unless') kind = depth === 0 ? token : kind
    if (token === '{' && depth === 0) start = index + 1
    depth += STEPS.get(token) ?? 0
    if (token === '}' && depth === 0) found.push({ kind, body: text.slice(start, index) })
  }
  return found
}
