import { trimmed } from './trimmed.ts'
import { COLON, DASH, HASH, LINE_END, SPACE, YamlCursor } from './yaml-cursor.ts'
import type { YamlParts } from './yaml-parts.ts'
import { beginsUnseen } from './yaml-slips.ts'

const DOT = 46
const COMMA = 44
const OPEN_BRACKET = 91
const CLOSE_BRACKET = 93
const OPEN_BRACE = 123
const BAR = 124
const CLOSE_BRACE = 125

/** Deeper nesting needs the parser, which counts exactly. */
const DEEPEST = 50

/** Everything except line ends and printable ASCII. */
const UNUSUAL = /[^\n -~]/
const CONTROL = /[^\n -~\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/u

/**
 * Parses a YAML text of the common kind: block mappings and sequences, scalars and flow collections on one line,
 * literal blocks, comments.
 *
 * Returns `undefined` unless the text certainly has no fault and the parser would produce the same value and positions.
 * With `parts`, a second pass over a plain text records positions instead of the value.
 */
export function readPlainYaml(text: string, parts?: YamlParts): object | undefined {
  if (UNUSUAL.test(text) && CONTROL.test(text)) return undefined
  const cursor = new YamlCursor(text.endsWith('\n') ? text : `${text}\n`, parts)
  cursor.toLine(text.startsWith('---\n') ? 4 : 0)
  if (cursor.column !== 0) return undefined
  const value = block(cursor, 0)
  // A line that fits no open collection ends all of them too early.
  return cursor.hasGivenUp || cursor.column >= 0 ? undefined : value
}

/** Reads the mapping or sequence that begins on a new line. */
function block(cursor: YamlCursor, depth: number): object | undefined {
  if (isDash(cursor)) return sequence(cursor, cursor.column, depth)
  const { column } = cursor
  const key = keyOfLine(cursor)
  return key === undefined ? cursor.giveUp() : mapping(cursor, column, key, depth)
}

function isDash({ text, at }: YamlCursor): boolean {
  if (text.charCodeAt(at) !== DASH) return false
  const next = text.charCodeAt(at + 1)
  return next === SPACE || next === LINE_END
}

/** Reads a mapping whose keys are at `indent`, starting after its first key. */
function mapping(cursor: YamlCursor, indent: number, first: string, depth: number): object {
  const members: Record<string, unknown> = {}
  const start = cursor.lineStart + indent
  const firstOpen = (cursor.parts?.open ?? 0) - 1
  let key: string | undefined = first
  while (key !== undefined) {
    cursor.skipColon()
    addMember(cursor, members, key, nodeBehind(cursor, indent, false, depth + 1))
    key = cursor.column === indent ? keyOfLine(cursor) : undefined
  }
  cursor.parts?.closeObject(firstOpen, start)
  return members
}

/** Duplicate and inherited keys need the parser. */
function addMember(
  cursor: YamlCursor,
  members: Record<string, unknown>,
  key: string,
  value: unknown,
): void {
  // With `parts`, the value is already known.
  if (cursor.parts) return
  if (members[key] === undefined) members[key] = value
  else cursor.giveUp()
}

function keyOfLine(cursor: YamlCursor): string | undefined {
  const first = cursor.text.charCodeAt(cursor.at)
  // It may be a document marker.
  if (first === DASH || first === DOT) return cursor.giveUp()
  return asKey(cursor, cursor.scalar(false))
}

/** Null and collections cannot be keys; the parser reports unusual spaces. */
function asKey(cursor: YamlCursor, value: unknown): string | undefined {
  if (typeof value === 'object' || value === undefined) return cursor.giveUp()
  const key = String(value)
  return beginsUnseen(key) ? cursor.giveUp() : key
}

/** Reads a sequence whose dashes are at `indent`. */
function sequence(cursor: YamlCursor, indent: number, depth: number): unknown[] {
  const items: unknown[] = []
  const start = cursor.at
  const firstOpen = cursor.parts?.open ?? 0
  do {
    cursor.at++
    items.push(nodeBehind(cursor, indent, true, depth + 1))
  } while (cursor.column === indent && isDash(cursor))
  cursor.parts?.closeArray(firstOpen, start)
  return items
}

/** Reads the value of a key or dash at `indent`: on the same line, or below. */
function nodeBehind(cursor: YamlCursor, indent: number, isItem: boolean, depth: number): unknown {
  if (depth > DEEPEST) return cursor.giveUp()
  const behind = cursor.at
  const first = cursor.skipSpaces()
  if (first === LINE_END || first === HASH) return nodeBelow(cursor, behind, indent, isItem, depth)
  if (first === BAR) return literal(cursor, indent)
  const column = cursor.at - cursor.lineStart
  if (isItem && isDash(cursor)) return sequence(cursor, column, depth)
  const value = isOpening(first) ? flow(cursor, depth) : cursor.scalar(false)
  if (isItem && cursor.text.charCodeAt(cursor.at) === COLON) {
    const key = asKey(cursor, value)
    return key === undefined ? undefined : mapping(cursor, column, key, depth)
  }
  cursor.endLine()
  return value
}

function nodeBelow(
  cursor: YamlCursor,
  behind: number,
  indent: number,
  isItem: boolean,
  depth: number,
): unknown {
  cursor.toLine(cursor.text.indexOf('\n', cursor.at) + 1)
  if (cursor.column > indent) return block(cursor, depth)
  // The dashes of a sequence may be at the indentation of its key.
  if (!isItem && cursor.column === indent && isDash(cursor)) return sequence(cursor, indent, depth)
  cursor.parts?.addScalar(null, { start: behind, end: behind })
  return null
}

/** Reads the literal block whose lines are indented deeper than `indent`. */
function literal(cursor: YamlCursor, indent: number): string | undefined {
  const { text } = cursor
  const isStripped = text.charCodeAt(cursor.at + 1) === DASH
  const headerEnd = cursor.at + (isStripped ? 2 : 1)
  if (text.charCodeAt(headerEnd) !== LINE_END) return cursor.giveUp()
  cursor.at = headerEnd + 1
  const isEmpty = cursor.skipSpaces() === LINE_END
  const column = cursor.at - headerEnd - 1
  if (isEmpty || column <= indent) return cursor.giveUp()
  const lines: string[] = []
  let filled = 0
  let start = headerEnd + 1
  for (; start < text.length; start = text.indexOf('\n', start) + 1) {
    const end = text.indexOf('\n', start)
    cursor.at = start
    cursor.skipSpaces()
    if (cursor.at < start + column && cursor.at < end) break
    // An empty line may be shorter than the indentation; spaces after it are text.
    lines.push(text.slice(start + column, end))
    if (end > start + column) filled = lines.length
  }
  cursor.toLine(start)
  const value = lines.slice(0, filled).join('\n') + (isStripped ? '' : '\n')
  cursor.parts?.addScalar(value, trimmed(text, headerEnd + 1, start))
  return value
}

function isOpening(c: number): boolean {
  return c === OPEN_BRACKET || c === OPEN_BRACE
}

/** Reads a flow collection, or a scalar in one. */
function flow(cursor: YamlCursor, depth: number): unknown {
  if (depth > DEEPEST) return cursor.giveUp()
  const first = cursor.text.charCodeAt(cursor.at)
  if (first === OPEN_BRACKET) return flowSequence(cursor, depth + 1)
  return first === OPEN_BRACE ? flowMapping(cursor, depth + 1) : cursor.scalar(true)
}

function flowSequence(cursor: YamlCursor, depth: number): unknown[] {
  const items: unknown[] = []
  const start = cursor.at
  const firstOpen = cursor.parts?.open ?? 0
  let isOpen = entersFlow(cursor, CLOSE_BRACKET)
  while (isOpen) {
    items.push(flow(cursor, depth))
    isOpen = continuesFlow(cursor, CLOSE_BRACKET)
  }
  cursor.parts?.closeArray(firstOpen, start, cursor.at)
  return items
}

function flowMapping(cursor: YamlCursor, depth: number): object {
  const members: Record<string, unknown> = {}
  const start = cursor.at
  const firstOpen = cursor.parts?.open ?? 0
  let isOpen = entersFlow(cursor, CLOSE_BRACE)
  while (isOpen) {
    const key = asKey(cursor, flow(cursor, depth))
    cursor.skipColon()
    cursor.skipSpaces()
    if (key !== undefined) addMember(cursor, members, key, flow(cursor, depth))
    isOpen = continuesFlow(cursor, CLOSE_BRACE)
  }
  cursor.parts?.closeObject(firstOpen, start, cursor.at)
  return members
}

/** Moves past an opening bracket; returns whether the collection has entries. */
function entersFlow(cursor: YamlCursor, closing: number): boolean {
  cursor.at++
  if (cursor.skipSpaces() !== closing) return true
  cursor.at++
  return false
}

/** Moves past the next comma or closing bracket; returns whether it was a comma. */
function continuesFlow(cursor: YamlCursor, closing: number): boolean {
  const c = cursor.skipSpaces()
  if (c !== COMMA && c !== closing) cursor.giveUp()
  else cursor.at++
  if (c === COMMA) cursor.skipSpaces()
  return c === COMMA
}
