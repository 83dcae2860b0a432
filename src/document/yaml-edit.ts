import { type Change, impossible, isCollection, isList, type Json, withChange } from './change.ts'
import type { Span } from './document.ts'
import { readYaml } from './yaml.ts'
import {
  childrenOf,
  columnOf,
  isBlock,
  lineEnd,
  type Place,
  placeOf,
  startOf,
  type YamlText,
} from './yaml-place.ts'
import type { Splice } from './yaml-put.ts'
import { waysOf } from './yaml-splice.ts'
import type { Layout } from './yaml-write.ts'

/** Number of parts to examine for the layout of a document. */
const MOST_LOOKED_AT = 500

/**
 * Edits a YAML text by path and keeps everything else byte for byte.
 *
 * A scalar keeps its quotes if the new value allows; a missing key goes to the end of its mapping, with missing
 * parents; the index after the last appends to a sequence; removing a missing part does nothing. The text has no byte
 * order mark. The result is parsed again: unless it has exactly the changed value and every comment of unchanged parts,
 * an internal error is thrown.
 */
export function editYaml(text: string, changes: readonly Change[]): string {
  const [first] = changes
  if (!first) return text
  const source = read(text)
  if (!source) throw impossible(first, 'the text cannot be read')
  return changes.reduce(edited, source).text
}

function edited(source: YamlText, change: Change): YamlText {
  const wanted = JSON.stringify(withChange(source.value, change))
  if (wanted === JSON.stringify(source.value)) return source
  const comments = commentsOf(source)
  const touched = touchedBy(source, change)
  for (const way of waysOf(source, change, layoutOf(source))) {
    const after = read(spliced(source.text, way))
    const isExact = after && JSON.stringify(after.value) === wanted
    if (isExact && keeps(comments, touched, commentsOf(after))) return after
  }
  throw impossible(change, 'the edit would affect other parts of the text')
}

function read(text: string): YamlText | undefined {
  const { value, faults, locate } = readYaml(text)
  if (faults.length > 0) return undefined
  // Text without faults parses to a plain value.
  return { text, value: value as Json, locate, eol: /\r\n?|\n/.exec(text)?.[0] ?? '\n' }
}

function spliced(text: string, splices: readonly Splice[]): string {
  return splices
    .toSorted((a, b) => b.start - a.start || b.end - a.end)
    .reduce(
      (result, { start, end, text: own }) => result.slice(0, start) + own + result.slice(end),
      text,
    )
}

interface Comment {
  readonly start: number
  readonly text: string
}

/** All comments: text from a `#` after white space, outside scalars. */
function commentsOf(source: YamlText): Comment[] {
  const scalars: Span[] = []
  const pending = [placeOf(source, [])]
  for (let place = pending.pop(); place; place = pending.pop()) {
    if (place.key) scalars.push(place.key)
    if (isCollection(place.value)) pending.push(...childrenOf(source, place))
    else scalars.push(place.span)
  }
  scalars.sort((a, b) => a.start - b.start)
  const comments: Comment[] = []
  let from = 0
  for (const { start, end } of [...scalars, { start: source.text.length, end: 0 }]) {
    for (const { index, 0: text } of source.text.slice(from, start).matchAll(/(?<!\S)#[^\r\n]*/g))
      if (index > 0 || from === 0) comments.push({ start: from + index, text: text.trimEnd() })
    from = end
  }
  return comments
}

/** Ranges whose comments a change may remove: inside a list or object, and after what is removed. */
function touchedBy(source: YamlText, change: Change): Span {
  const place = placeOf(source, change.path)
  if (place.path.length < change.path.length) return { start: 0, end: 0 }
  const { start, end } = place.span
  if ('remove' in change) return { start: startOf(place), end: lineEnd(source.text, end) }
  if (!isCollection(place.value)) return { start: 0, end: 0 }
  return { start, end: isBlock(place) ? lineEnd(source.text, end) : end }
}

/** Whether all comments outside the changed part are unchanged and in order, and none is new. */
function keeps(before: readonly Comment[], touched: Span, after: readonly Comment[]): boolean {
  let at = 0
  for (const { start, text } of before) {
    if (after[at]?.text === text) at++
    else if (start < touched.start || start >= touched.end) return false
  }
  return at === after.length
}

/** The indentation and quotes of a document, from its first parts. */
function layoutOf(source: YamlText): Layout {
  const first = firstParts(source)
  const isOf = (list: boolean) => (place: Place) => isBlock(place) && isList(place.value) === list
  const stepOf = ({ span, parent }: Place) =>
    columnOf(source.text, span.start) - columnOf(source.text, parent?.span.start ?? 0)
  const nested = first.filter(({ key }) => key)
  const [mapping] = nested.filter(isOf(false)).map(stepOf)
  const [sequence] = nested.filter(isOf(true)).map(stepOf)
  const quotes = first
    .filter(({ value }) => typeof value === 'string')
    .map(({ span }) => source.text[span.start])
    .find(mark => mark === '"' || mark === "'")
  const step = mapping ?? (sequence || 2)
  return { step, sequenceStep: sequence ?? step, quotes: quotes === "'" ? 'single' : 'double' }
}

function firstParts(source: YamlText): Place[] {
  const parts = [placeOf(source, [])]
  // The list grows during iteration.
  for (const place of parts) {
    if (parts.length > MOST_LOOKED_AT) break
    parts.push(...childrenOf(source, place))
  }
  return parts
}
