import { ambiguities, inTextOrder } from './ambiguity.ts'
import type { Fault, Reading } from './document.ts'
import { locateJson } from './json-locate.ts'
import {
  countColons,
  countKeys,
  countMembers,
  endOfDepth,
  holdsHalfCharacter,
  MAX_DEPTH,
  withPlainKeys,
} from './json-scan.ts'
import { sourceTree } from './json-tree.ts'
import { locator, toValue } from './source-tree.ts'

/** Shorter texts cannot nest too deeply for `JSON.parse`; count the depth of longer ones first. */
const SHORT = 65_536

/**
 * Parses a JSON text without a byte order mark.
 *
 * The value comes from `JSON.parse`; only a text with a possible fault is parsed again with positions. `firstLine` is
 * the number of lines above the text in its file.
 */
export function readJson(text: string, firstLine = 0): Reading {
  const isShort = text.length <= SHORT
  let colons = isShort ? countKeys(text) : countColons(text)
  if (colons < 0) return recover(text, firstLine)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return recover(text, firstLine)
  }
  const plain = withPlainKeys(text)
  if (plain !== undefined && plain !== text) value = JSON.parse(plain)
  const members = countMembers(value)
  if (isShort && members !== colons) {
    colons = countColons(text)
    if (colons < 0) return recover(text, firstLine)
  }
  const isPlain = members === colons && plain !== undefined && !holdsHalfCharacter(text)
  if (!isPlain) return readAgain(text, firstLine)
  return { value, faults: [], locate: locator(() => sourceTree(text), text, true) }
}

function readAgain(text: string, firstLine: number): Reading {
  const { root } = locateJson(text)
  const faults = root ? inTextOrder(ambiguities(root, text, firstLine)) : [unreadable(text)]
  return { value: root && toValue(root), faults, locate: locator(() => root, text) }
}

/** Recovers what it can of a text that is not valid JSON or too deep: up to the bracket that is too deep. */
function recover(text: string, firstLine: number): Reading {
  if (text.trim() === '') return empty(text)
  const end = endOfDepth(text)
  const readable = text.slice(0, end)
  const { root: read, faults: errors } = locateJson(readable)
  // An object without readable parts may only have its keys in the wrong quotes.
  const isBare = read?.kind === 'object' && read.members.length === 0
  const root = isBare ? locateJson(straightened(readable)).root : read
  const faults = root ? ambiguities(root, text, firstLine) : []
  if (end < text.length) {
    // Ignore errors that the cut caused.
    faults.push(...errors.filter(error => error.span.end < readable.trimEnd().length), tooDeep(end))
  } else {
    faults.push(...(errors.length > 0 ? errors : [unreadable(text)]))
  }
  return {
    value: root && toValue(root),
    faults: inTextOrder(faults),
    locate: locator(() => root, text),
  }
}

/** Replaces the quotes of other languages by those of JSON, for recognition only; offsets stay the same. */
function straightened(text: string): string {
  return text.replace(/['“”„‟‘’]/g, '"')
}

function empty(text: string): Reading {
  const span = { start: 0, end: text.length }
  const fault = {
    code: 'syntax/empty',
    message: 'the document is empty',
    hint: 'write a JSON value',
    span,
  }
  return { value: undefined, faults: [fault], locate: () => span }
}

function tooDeep(at: number): Fault {
  return {
    code: 'syntax/too-deep',
    message: `objects and arrays are nested more than ${MAX_DEPTH} levels deep here`,
    hint: 'write it with fewer levels',
    span: { start: at, end: at + 1 },
  }
}

/** Fails closed if the two parsers disagree about what is JSON. */
function unreadable(text: string): Fault {
  return {
    code: 'syntax/json',
    message: 'this is not valid JSON',
    hint: 'rewrite it with a JSON tool',
    span: { start: 0, end: text.length },
  }
}
