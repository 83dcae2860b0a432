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

/** Up to here no nesting is too much for `JSON.parse`; what is longer is counted before it is parsed. */
const SHORT = 65_536

/**
 * Reads a JSON text without a byte order mark.
 *
 * The value is what `JSON.parse` gives; only a text with a fault, or one that looks as if it had one, is parsed again
 * with places. `firstLine` is the number of lines that stand above the text in its file.
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

/** Reads what can be read of a text that is no JSON, or too deep: up to the bracket that is too deep. */
function recover(text: string, firstLine: number): Reading {
  if (text.trim() === '') return empty(text)
  const end = endOfDepth(text)
  const readable = text.slice(0, end)
  const { root: read, faults: errors } = locateJson(readable)
  // An object of which nothing could be read may only have its keys in quotes of another kind.
  const isBare = read?.kind === 'object' && read.members.length === 0
  const root = isBare ? locateJson(straightened(readable)).root : read
  const faults = root ? ambiguities(root, text, firstLine) : []
  if (end < text.length) {
    // What the cut itself broke is no error of the text.
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

/** A text with the quotes of other languages as those of JSON, for recognition alone; every place stays what it was. */
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

/** Keeps the door closed should the two parsers ever disagree about what JSON is. */
function unreadable(text: string): Fault {
  return {
    code: 'syntax/json',
    message: 'this is not JSON',
    hint: 'write it anew with a JSON tool',
    span: { start: 0, end: text.length },
  }
}
