import { isCollection, isList, type Json, type JsonObject, sizeOf } from './change.ts'

/** How a string is written on one line. */
export type Quotes = 'plain' | 'single' | 'double'

/** The layout of a document. */
export interface Layout {
  /** Indentation of a mapping below its key, in columns. */
  readonly step: number
  /** Indentation of a sequence below its key, in columns. */
  readonly sequenceStep: number
  /** The quotes of a string that needs them. */
  readonly quotes: 'single' | 'double'
}

/** The context of a scalar, as far as it affects how it can be written. */
export interface ScalarPlace {
  readonly quotes: Quotes
  readonly inFlow: boolean
  readonly layout: Layout
}

const WORD = /^(?:~|null|true|false|yes|no|on|off|y|n|=|<<)$/i
const NUMBER =
  /^[-+]?(?:0b[01_]+|0o[0-7_]+|0x[0-9a-f_]+|[0-9][0-9_]*(?::[0-9_]+)*(?:\.[0-9_]*)?(?:e[-+]?[0-9]+)?|\.[0-9_]*(?:e[-+]?[0-9]+)?|\.inf|\.nan)$/i
const DATE = /^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:$|[Tt \t])/
const UNPRINTABLE =
  /[^\t\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/u
const WIDEST_FLOW = 100

/** Whether every reader of YAML 1.1 and 1.2 reads an unquoted string as itself. */
function isPlain(text: string, inFlow: boolean): boolean {
  if (text === '' || text !== text.trim() || /[\r\n\t]/.test(text) || UNPRINTABLE.test(text))
    return false
  if (WORD.test(text) || NUMBER.test(text) || DATE.test(text)) return false
  if (/^(?:[,[\]{}#&*!|>'"%@`]|[-?:](?:\s|$)|---|\.\.\.)/.test(text)) return false
  if (/:(?:\s|$)|\s#/.test(text)) return false
  return !inFlow || !/[,[\]{}]|^[-?:]|:/.test(text)
}

/** A scalar on one line, in the preferred quotes if possible. */
export function writeScalar(value: Json, { quotes, inFlow, layout }: ScalarPlace): string {
  if (typeof value !== 'string') return JSON.stringify(value)
  if (quotes === 'plain' && isPlain(value, inFlow)) return value
  const style = quotes === 'plain' ? layout.quotes : quotes
  return style === 'single' && !/[\r\n\t]/.test(value) && !UNPRINTABLE.test(value)
    ? `'${value.replaceAll("'", "''")}'`
    : doubleQuoted(value)
}

function doubleQuoted(text: string): string {
  const spell = (character: string) =>
    [...Array(character.length).keys()]
      .map(i => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`)
      .join('')
  return JSON.stringify(text).replace(new RegExp(UNPRINTABLE, 'gu'), spell)
}

/** A value on one line, collections in brackets. */
export function writeFlow(value: Json, layout: Layout): string {
  if (!isCollection(value)) return writeScalar(value, { quotes: 'plain', inFlow: true, layout })
  if (isList(value)) return `[${value.map(item => writeFlow(item, layout)).join(', ')}]`
  if (sizeOf(value) === 0) return '{}'
  const members = Object.entries(value).map(
    ([key, v]) => `${writeKey(key, true, layout)}: ${writeFlow(v, layout)}`,
  )
  return `{ ${members.join(', ')} }`
}

/** A list or object of scalars that fits on the rest of a line. */
export function isShort(value: Json, layout: Layout, column: number): boolean {
  if (!isCollection(value)) return true
  const parts: readonly Json[] = isList(value) ? value : Object.values(value)
  return !parts.some(isCollection) && column + writeFlow(value, layout).length <= WIDEST_FLOW
}

/** A key before its colon. */
export function writeKey(key: string, inFlow: boolean, layout: Layout): string {
  return writeScalar(key, { quotes: 'plain', inFlow, layout })
}

/** The lines of a non-empty list or object, each indented by `column`. */
export function writeBlock(
  value: readonly Json[] | JsonObject,
  column: number,
  layout: Layout,
): string[] {
  if (isList(value)) return value.flatMap(item => writeItem(item, column, layout))
  return Object.entries(value).flatMap(([key, v]) => writeMember(key, v, column, layout))
}

/** The lines of a key with its value. */
export function writeMember(key: string, value: Json, column: number, layout: Layout): string[] {
  const head = `${' '.repeat(column)}${writeKey(key, false, layout)}:`
  if (!hasBlock(value)) return writeLeaf(head, value, column, layout)
  const step = isList(value) ? layout.sequenceStep : layout.step
  return [head, ...writeBlock(value, column + step, layout)]
}

/** The lines of an item of a list. */
export function writeItem(value: Json, column: number, layout: Layout): string[] {
  const head = `${' '.repeat(column)}-`
  if (!hasBlock(value)) return writeLeaf(head, value, column, layout)
  const [first = '', ...rest] = writeBlock(value, column + 2, layout)
  return [`${head} ${first.trimStart()}`, ...rest]
}

/** Whether a value is written in block style. */
export function hasBlock(value: Json): value is readonly Json[] | JsonObject {
  return isCollection(value) && sizeOf(value) > 0
}

function writeLeaf(head: string, value: Json, column: number, layout: Layout): string[] {
  const literal = typeof value === 'string' ? writeLiteral(value, column + layout.step) : undefined
  if (literal) return [`${head} ${literal[0]}`, ...literal.slice(1)]
  return [`${head} ${writeFlowless(value, layout)}`]
}

function writeFlowless(value: Json, layout: Layout): string {
  return isCollection(value)
    ? writeFlow(value, layout)
    : writeScalar(value, { quotes: 'plain', inFlow: false, layout })
}

/** Several lines of text below their header, if nothing in them needs an escape. */
export function writeLiteral(text: string, column: number): string[] | undefined {
  const fits = /\n./.test(text) && /^\S/.test(text) && !/\n\n$/.test(text) && !/[\r\t]/.test(text)
  if (!fits || UNPRINTABLE.test(text)) return undefined
  const lines = text.replace(/\n$/, '').split('\n')
  const set = lines.map(line => (line === '' ? '' : ' '.repeat(column) + line))
  return [text.endsWith('\n') ? '|' : '|-', ...set]
}
