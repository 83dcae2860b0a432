import { isCollection, isList, type Json, type JsonObject, partOf, sizeOf } from './change.ts'
import type { Locate, Path, Span } from './document.ts'

/** A part of a YAML text and its context. */
export interface Place {
  readonly value: Json
  readonly path: Path
  readonly span: Span
  /** Is inside brackets, or is itself in brackets. */
  readonly inFlow: boolean
  readonly parent?: Place
  /** Of its key, if any. */
  readonly key?: Span
}

/** A parsed YAML text. */
export interface YamlText {
  readonly text: string
  readonly value: Json
  readonly locate: Locate
  /** The line end that the text uses. */
  readonly eol: string
}

/** The text between the marker before a value (a colon or dash) and the value. */
export interface Head {
  /** Right after the marker; for a value without one, its start. */
  readonly from: number
  /** There is no marker: a key alone, as in `{a}`. */
  readonly unmarked: boolean
  /** After anchors and tags. */
  readonly behind: number
  /** Anchors without tags, since a tag would change how the next value is parsed. */
  readonly anchors: string
  /** The header of a block scalar. */
  readonly block?: Span
  /** The value begins on a later line. */
  readonly below: boolean
}

const SPACE = /(?:[ \t\r\n]+|#[^\r\n]*)+/y
const PROPERTIES = /^[ \t]+((?:[!&][^\s]*(?:[ \t]+|(?=[\r\n])|$))+)/
const BLOCK_MARK = /^[ \t]*([|>][-+0-9]*)[ \t]*(?:#[^\r\n]*)?(?:[\r\n]|$)/

/** The place of a part, or of its nearest existing ancestor. */
export function placeOf(source: YamlText, path: Path): Place {
  const root: Place = {
    value: source.value,
    path: [],
    span: source.locate([]),
    inFlow: isBracketed(source, source.value, source.locate([])),
  }
  let place = root
  for (const segment of path) {
    if (partOf(place.value, segment) === undefined) break
    place = childOf(source, place, segment)
  }
  return place
}

/** The place of an existing part of a list or object. */
function childOf(source: YamlText, parent: Place, segment: string | number): Place {
  const path = [...parent.path, segment]
  const value = partOf(parent.value, segment) ?? null
  const span = source.locate(path)
  const inFlow = parent.inFlow || isBracketed(source, value, span)
  const place = { value, path, span, inFlow, parent }
  return isList(parent.value) ? place : { ...place, key: source.locate(path, 'key') }
}

/** The parts of a list or object in text order. */
export function childrenOf(source: YamlText, place: Place): Place[] {
  if (!isCollection(place.value)) return []
  const segments = isList(place.value) ? [...place.value.keys()] : Object.keys(place.value)
  return segments
    .map(segment => childOf(source, place, segment))
    .sort((a, b) => startOf(a) - startOf(b))
}

/** The start of a part: of its key, if any. */
export function startOf({ key, span }: Place): number {
  return (key ?? span).start
}

function isBracketed({ text }: YamlText, value: Json, { start }: Span): boolean {
  return isCollection(value) && '[{'.includes(text.charAt(start))
}

/** A list or object in block style. */
export function isBlock(place: Place): place is Place & { value: readonly Json[] | JsonObject } {
  return isCollection(place.value) && !place.inFlow && sizeOf(place.value) > 0
}

/** The text before the value of a place. */
export function headOf({ text }: YamlText, place: Place, siblings: readonly Place[]): Head {
  const marked = markBefore(text, place, siblings)
  const from = marked ?? place.span.start
  const gap = text.slice(from, place.span.start)
  const properties = PROPERTIES.exec(gap)
  const behind = from + (properties?.[0].trimEnd().length ?? 0)
  const mark = BLOCK_MARK.exec(text.slice(behind, place.span.start))
  const at = mark ? behind + mark[0].indexOf(mark[1] ?? '') : 0
  return {
    from,
    unmarked: marked === undefined,
    behind,
    anchors: (properties?.[1] ?? '')
      .split(/[ \t]+/)
      .filter(word => word.startsWith('&'))
      .join(' '),
    ...(mark ? { block: { start: at, end: at + (mark[1]?.length ?? 0) } } : {}),
    below: /[\r\n]/.test(text.slice(behind, place.span.start)),
  }
}

/** Right after the colon or dash before a value. */
function markBefore(text: string, place: Place, siblings: readonly Place[]): number | undefined {
  const { parent, key, span } = place
  if (!parent) return undefined
  if (key) return behindMark(text, key.end, ':')
  if (parent.inFlow) return undefined
  const before = siblings.filter(({ span: s }) => s.end <= span.start && s !== span).at(-1)
  return behindMark(text, before ? before.span.end : parent.span.start, '-')
}

function behindMark(text: string, from: number, mark: string): number | undefined {
  const at = skipSpace(text, from)
  return text[at] === mark ? at + 1 : undefined
}

/** The next offset that is not white space or in a comment. */
export function skipSpace(text: string, from: number): number {
  SPACE.lastIndex = from
  return SPACE.test(text) ? SPACE.lastIndex : from
}

/** The start of the line at an offset. */
export function lineStart(text: string, offset: number): number {
  let at = offset
  while (at > 0 && !isLineEnd(text, at - 1)) at--
  return at
}

/** The end of the line at an offset, before its line end. */
export function lineEnd(text: string, offset: number): number {
  let at = offset
  while (at < text.length && !isLineEnd(text, at)) at++
  return at
}

/** The offset after the line end at an offset. */
export function nextLine(text: string, offset: number): number {
  return offset + (text.startsWith('\r\n', offset) ? 2 : offset < text.length ? 1 : 0)
}

function isLineEnd(text: string, at: number): boolean {
  return text[at] === '\n' || text[at] === '\r'
}

/** The column of an offset. */
export function columnOf(text: string, offset: number): number {
  return offset - lineStart(text, offset)
}
