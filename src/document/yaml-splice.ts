import { type Change, isCollection, isList, type Json, sizeOf } from './change.ts'
import {
  childrenOf,
  columnOf,
  type Head,
  headOf,
  isBlock,
  lineEnd,
  lineStart,
  nextLine,
  type Place,
  placeOf,
  skipSpace,
  startOf,
  type YamlText,
} from './yaml-place.ts'
import { beforeLine, putLines, type Splice } from './yaml-put.ts'
import {
  hasBlock,
  isShort,
  type Layout,
  type Quotes,
  writeBlock,
  writeFlow,
  writeItem,
  writeKey,
  writeLiteral,
  writeMember,
  writeScalar,
} from './yaml-write.ts'

/**
 * Alternative ways to make a change, best first.
 *
 * YAML has more forms than are distinguished here, so the caller takes the first way that verifies.
 */
export function* waysOf(source: YamlText, change: Change, layout: Layout): Generator<Splice[]> {
  const writer = new Writer(source, layout)
  const place = placeOf(source, change.path)
  const depth = place.path.length
  if (depth === change.path.length) {
    if ('value' in change) yield* writer.replacing(place, change.value)
    else yield* writer.removing(place)
    return
  }
  if ('remove' in change) return
  const value = withParents(change.value, change.path.slice(depth + 1))
  const segment = change.path[depth] ?? 0
  if (place.value === null) yield* writer.replacing(place, withParents(value, [segment]))
  else yield* writer.adding(place, segment, value)
}

function withParents(value: Json, path: Change['path']): Json {
  return path.reduceRight<Json>(
    (inner, segment) => (segment === 0 ? [inner] : Object.fromEntries([[String(segment), inner]])),
    value,
  )
}

class Writer {
  readonly #source: YamlText
  readonly #text: string
  readonly #layout: Layout

  constructor(source: YamlText, layout: Layout) {
    this.#source = source
    this.#text = source.text
    this.#layout = layout
  }

  *replacing(place: Place, value: Json): Generator<Splice[]> {
    const siblings = place.parent ? childrenOf(this.#source, place.parent) : []
    const head = headOf(this.#source, place, siblings)
    const put = (...lines: string[]) => putLines(this.#source, place, head, lines)
    const flow = writeFlow(value, this.#layout)
    if (place.parent?.inFlow) {
      yield put(typeof value === 'string' ? this.#scalar(place, value) : flow)
      yield* this.#rewriting(place.parent, place.path.at(-1) ?? 0, value)
      return
    }
    if (!hasBlock(value)) {
      const literal = typeof value === 'string' && this.#literal(place, head, value)
      if (literal) yield put(...literal)
      yield put(isCollection(value) ? flow : this.#scalar(place, value))
    } else if (!this.#staysFlow(place, value)) yield put(...this.#block(place, head, value))
    yield put(flow)
  }

  *adding(place: Place, segment: string | number, value: Json): Generator<Splice[]> {
    if (!isCollection(place.value)) return
    const whole: Json = isList(place.value)
      ? [...place.value, value]
      : Object.fromEntries([...Object.entries(place.value), [String(segment), value]])
    if (sizeOf(place.value) === 0) yield* this.replacing(place, whole)
    if (place.inFlow) {
      yield this.#insideBrackets(place, segment, value)
      yield* this.replacing(place, whole)
      return
    }
    const column = columnOf(this.#text, place.span.start)
    const lines = isList(place.value)
      ? writeItem(value, column, this.#layout)
      : writeMember(String(segment), value, column, this.#layout)
    const text = lines.map(line => this.#source.eol + line).join('')
    for (const at of this.#endsOf(place, column)) yield [{ start: at, end: at, text }]
  }

  *removing(place: Place): Generator<Splice[]> {
    const { parent } = place
    if (!parent) return
    const siblings = childrenOf(this.#source, parent)
    if (siblings.length === 1) yield* this.replacing(parent, isList(parent.value) ? [] : {})
    else if (parent.inFlow) {
      const at = siblings.findIndex(sibling => startOf(sibling) === startOf(place))
      const [before, after] = [siblings[at - 1], siblings[at + 1]]
      if (after) yield [{ start: startOf(place), end: startOf(after), text: '' }]
      else if (before) yield [{ start: before.span.end, end: place.span.end, text: '' }]
      yield* this.#rewriting(parent, place.path.at(-1) ?? 0)
    } else yield* this.#removingLines(place, parent, siblings)
  }

  *#removingLines(place: Place, parent: Place, siblings: readonly Place[]): Generator<Splice[]> {
    const mark = place.key ? this.#beginOf(place) : headOf(this.#source, place, siblings).from - 1
    const start = lineStart(this.#text, mark)
    const stop = lineEnd(this.#text, place.span.end)
    if (this.#text.slice(start, mark).trim() === '') {
      const isLast = stop === this.#text.length && start > 0
      if (isLast) yield [{ start: beforeLine(this.#text, start), end: stop, text: '' }]
      else yield [{ start, end: nextLine(this.#text, stop), text: '' }]
      return
    }
    // When the first part next to a dash is removed, the next one moves up, unless a comment is between.
    const first = parent.span.start
    const next = /[ \t\r\n]*/y
    next.lastIndex = stop
    next.exec(this.#text)
    if (this.#text[next.lastIndex] !== '#') yield [{ start: first, end: next.lastIndex, text: '' }]
    yield [{ start: this.#text.slice(0, first).trimEnd().length, end: stop, text: '' }]
  }

  /** The start of a member, including a marker, anchor or tag before its key. */
  #beginOf(place: Place): number {
    const start = startOf(place)
    const before = this.#text.slice(lineStart(this.#text, start), start)
    const lead = /(?:[?][ \t]+)?(?:[!&][^\s]*[ \t]+)*$/.exec(before)
    return start - (lead?.[0].length ?? 0)
  }

  #scalar({ span, value: old, parent }: Place, value: Json): string {
    const mark = typeof old === 'string' ? this.#text[span.start] : ''
    const quotes: Quotes = mark === "'" ? 'single' : mark === '"' ? 'double' : 'plain'
    return writeScalar(value, { quotes, inFlow: parent?.inFlow ?? false, layout: this.#layout })
  }

  /** A literal block below its header, with the same indentation. */
  #literal(place: Place, head: Head, value: string): string[] | undefined {
    const quoted =
      typeof place.value === 'string' && '"\''.includes(this.#text.charAt(place.span.start))
    if (quoted && !head.block) return undefined
    const column =
      head.block && place.value !== ''
        ? columnOf(this.#text, place.span.start)
        : this.#outerColumn(place) + this.#layout.step
    return writeLiteral(value, column)
  }

  /** Whether a short list or object in brackets keeps them. */
  #staysFlow(place: Place, value: Json): boolean {
    const { start } = place.span
    return (
      place.inFlow &&
      isCollection(place.value) &&
      sizeOf(place.value) > 0 &&
      isShort(value, this.#layout, columnOf(this.#text, start))
    )
  }

  /** The lines of a list or object below its key, next to its dash, or at the root. */
  #block(place: Place, head: Head, value: Json & object): string[] {
    if (!hasBlock(value)) return []
    if (!place.parent) return writeBlock(value, 0, this.#layout)
    const outer = this.#outerColumn(place)
    const least = place.key && !isList(value) ? outer + 1 : outer
    const own = columnOf(this.#text, place.span.start)
    if (isBlock(place) && head.below && own >= least)
      return ['', ...writeBlock(value, own, this.#layout)]
    if (place.key) {
      const step = isList(value) ? this.#layout.sequenceStep : this.#layout.step
      return ['', ...writeBlock(value, outer + step, this.#layout)]
    }
    const column = isBlock(place) ? own : columnOf(this.#text, head.from) + 1
    const [first = '', ...rest] = writeBlock(value, column, this.#layout)
    return [first.trimStart(), ...rest]
  }

  #outerColumn({ parent }: Place): number {
    return columnOf(this.#text, parent?.span.start ?? 0)
  }

  /** Where a block can continue: after its trailing comments if they have its indentation, else right after it. */
  *#endsOf(place: Place, column: number): Generator<number> {
    const end = lineEnd(this.#text, place.span.end)
    let at = end
    for (let start = nextLine(this.#text, at); start > at; start = nextLine(this.#text, at)) {
      const line = this.#text.slice(start, lineEnd(this.#text, start))
      const indent = line.length - line.trimStart().length
      if (line[indent] !== '#' || indent < column) break
      at = start + line.length
    }
    if (at > end) yield at
    yield end
    // The blank lines after a block scalar may be part of it.
    const blank = /[ \t\r\n]*/y
    blank.lastIndex = end
    blank.exec(this.#text)
    const next = blank.lastIndex
    yield next === this.#text.length ? next : beforeLine(this.#text, next)
  }

  #insideBrackets(place: Place, segment: string | number, value: Json): Splice[] {
    const flow = writeFlow(value, this.#layout)
    const text = isList(place.value)
      ? flow
      : `${writeKey(String(segment), true, this.#layout)}: ${flow}`
    const last = childrenOf(this.#source, place).at(-1)
    if (!last) {
      const at = place.span.start + 1
      return [{ start: at, end: at, text }]
    }
    const at = last.span.end
    const next = skipSpace(this.#text, at)
    if (this.#text[next] !== ',') return [{ start: at, end: at, text: `, ${text}` }]
    return [{ start: next + 1, end: next + 1, text: ` ${text}` }]
  }

  /** As a last resort, rewrites the brackets with one part changed or removed. */
  *#rewriting(place: Place, segment: string | number, value?: Json): Generator<Splice[]> {
    const entries = isCollection(place.value) ? Object.entries(place.value) : []
    const kept = entries.flatMap(([key, old]): [string, Json][] => {
      if (key !== String(segment)) return [[key, old]]
      return value === undefined ? [] : [[key, value]]
    })
    const whole = isList(place.value) ? kept.map(([, part]) => part) : Object.fromEntries(kept)
    yield [{ ...place.span, text: writeFlow(whole, this.#layout) }]
  }
}
