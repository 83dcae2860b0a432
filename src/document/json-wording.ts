import { type ParseError, printParseErrorCode } from 'jsonc-parser'
import type { Fault, Span } from './document.ts'

const MOST_FAULTS = 10

/** What to say of a syntax error. */
interface Wording {
  readonly message: string
  readonly hint: string
  /** Where it is, if not where the parser noticed it. */
  readonly span?: Span
}

interface Notice extends Span {
  readonly code: string
}

/** Words the syntax errors of a JSON text; an error that only follows from the one before it is left out. */
export function syntaxFaults(text: string, errors: readonly ParseError[]): Fault[] {
  const faults: Fault[] = []
  for (const notice of causes(text, errors)) {
    if (faults.length === MOST_FAULTS) break
    const { span, message, hint } = word(text, notice)
    faults.push({
      code: 'syntax/json',
      message,
      hint,
      span: span ?? { start: notice.start, end: notice.end },
    })
    // From there on the parser closes what nobody wanted closed.
    if (message === WRONG_BRACKET) break
  }
  return faults
}

function* causes(text: string, errors: readonly ParseError[]): Generator<Notice> {
  let last: Notice | undefined
  for (const { error, offset, length } of errors) {
    // A comment that is never closed ends one behind the text.
    const end = Math.min(offset + length, text.length)
    const notice = { code: printParseErrorCode(error), start: offset, end }
    const follows = last && followsFrom(last, notice, text)
    // The parser tells of a bad key twice: where it is, and where it went on.
    if (last?.code === 'PropertyNameExpected' && notice.code === 'ValueExpected') continue
    last = notice
    if (!follows) yield notice
  }
}

function followsFrom(last: Notice, next: Notice, text: string): boolean {
  if (next.start <= last.end) return true
  // A word that is no token hides the one that was expected, which the parser then misses just behind it.
  return last.code === 'InvalidSymbol' && text.slice(last.end, next.start).trim() === ''
}

function word(text: string, notice: Notice): Wording {
  const { code, start, end } = notice
  const found = text.slice(start, end)
  const over = STRAY.has(code) ? typographicEndBefore(text, start) : undefined
  if (over) return over
  switch (code) {
    case 'InvalidSymbol':
      return wordSymbol(found, text.slice(end), start)
    case 'EndOfFileExpected':
      return { ...MORE_TEXT, span: { start, end: Math.max(end, text.trimEnd().length) } }
    case 'UnexpectedEndOfString': {
      const close = typographicEnd(found, start)
      if (close) return close
    }
  }
  return wordExpected(text, notice, found) ?? WORDINGS.get(code) ?? UNREADABLE
}

/** For a text behind a string that went on to the next straight quote, since a typographic one stands at its end. */
function typographicEndBefore(text: string, end: number): Wording | undefined {
  if (text[end - 1] !== '"') return undefined
  const start = text.lastIndexOf('"', end - 2) + 1
  const inner = text.slice(start, end - 1)
  return /[:,]\s*$/.test(inner) ? typographicEnd(inner, start) : undefined
}

function typographicEnd(inner: string, start: number): Wording | undefined {
  const at = TYPOGRAPHIC_CLOSE.exec(inner)?.[0].length
  return at ? { ...TYPOGRAPHIC_END, span: { start: start + at - 1, end: start + at } } : undefined
}

/** What there is to say of a token that stands where another one was expected. */
function wordExpected(text: string, { code, start }: Notice, found: string): Wording | undefined {
  if (!EXPECTATIONS.has(code)) return undefined
  const lastEnd = text.slice(0, start).trimEnd().length
  if (start >= text.length) return { ...TEXT_ENDS, span: { start: lastEnd, end: lastEnd } }
  const number = code === 'CommaExpected' && leadingZero(text, start)
  if (number) return { ...LEADING_ZERO, span: number }
  if (found !== '}' && found !== ']') return undefined
  const last = text[lastEnd - 1]
  if (last === ',') return { ...TRAILING_COMMA, span: { start: lastEnd - 1, end: lastEnd } }
  if (code !== 'CommaExpected' && last !== (found === '}' ? '[' : '{')) return undefined
  return found === '}' ? NO_BRACE : NO_BRACKET
}

function wordSymbol(found: string, rest: string, start: number): Wording {
  if (found.startsWith("'")) return SINGLE_QUOTE
  if (/^[“”„‟‘’‚‛«»]/.test(found)) return TYPOGRAPHIC
  const unseen = start + found.search(UNSEEN)
  if (unseen >= start) return { ...NO_SPACE, span: { start: unseen, end: unseen + 1 } }
  if (/^\s*:/.test(rest)) return BARE_KEY
  if (/^[+.][.0-9]/.test(found)) return NO_DIGIT_FIRST
  return FOREIGN_WORDS.has(found) ? FOREIGN_WORD : UNREADABLE
}

/** The number with zeros in front of its other digits, which the parser takes for two. */
function leadingZero(text: string, second: number): Span | undefined {
  const before = text.slice(Math.max(0, second - 3), second)
  const sign = /(?<![\w.+-])-?0$/.exec(before)?.[0]
  const rest = /^\d[\d.eE+-]*/.exec(text.slice(second, second + 100))?.[0]
  if (sign === undefined || rest === undefined) return undefined
  return { start: second - sign.length, end: second + rest.length }
}

/** What looks like a space or like nothing, and is none of the four that may stand between tokens. */
const UNSEEN = /[^\S \t\r\n]|[\u00ad\u200b-\u200f\u2060-\u2064]/

/** A string up to its first typographic quote, if JSON could go on behind that; a pair of them within is text. */
const TYPOGRAPHIC_CLOSE =
  /^[^“”„‟]*[“”„‟](?=\s*(?:$|:|[}\]]\s*(?:[,}\]]|$)|,\s*(?:$|["{[\d-]|true|false|null)))/

/** Codes of what stands where a string has just ended. */
const STRAY: ReadonlySet<string> = new Set(['InvalidSymbol', 'CommaExpected', 'ColonExpected'])

const EXPECTATIONS: ReadonlySet<string> = new Set([
  'PropertyNameExpected',
  'ValueExpected',
  'ColonExpected',
  'CommaExpected',
  'CloseBraceExpected',
  'CloseBracketExpected',
])

const TEXT_ENDS: Wording = {
  message: 'the text ends before the JSON value is complete',
  hint: 'write the rest, and close every quote, bracket and brace',
}
const TRAILING_COMMA: Wording = {
  message: 'nothing follows this comma before the closing bracket',
  hint: 'remove the comma',
}
const WRONG_BRACKET = 'this bracket does not fit the one that is open'
const NO_BRACE: Wording = {
  message: WRONG_BRACKET,
  hint: 'close the array with ] in its place, or before it',
}
const NO_BRACKET: Wording = {
  message: WRONG_BRACKET,
  hint: 'close the object with } in its place, or before it',
}
const LEADING_ZERO: Wording = {
  message: 'this number has a zero before another digit',
  hint: 'leave zeros out that stand before a digit, as in 0.6 or 7; a name belongs in double quotes',
}
const NO_DIGIT_FIRST: Wording = {
  message: 'a number begins with a digit, or with a minus and a digit',
  hint: 'write it like 0.6 or 7',
}
const TYPOGRAPHIC: Wording = {
  message: 'JSON has no typographic quotes',
  hint: 'write straight double quotes instead, at both ends',
}
const TYPOGRAPHIC_END: Wording = {
  message: 'this quote is typographic, and ends no string',
  hint: 'write a straight double quote instead',
}
const NO_SPACE: Wording = {
  message: 'an invisible character stands here, which is no space to JSON',
  hint: 'write a space instead, or remove it',
}
const MORE_TEXT: Wording = {
  message: 'something follows after the end of the JSON value',
  hint: 'keep one value, and remove the rest',
}
const SINGLE_QUOTE: Wording = {
  message: 'JSON has no single quotes',
  hint: 'put keys and strings in double quotes',
}
const BARE_KEY: Wording = {
  message: 'this key has no quotes',
  hint: 'put keys in double quotes',
}
const FOREIGN_WORD: Wording = {
  message: 'JSON does not know this word',
  hint: 'its only bare words are true, false and null',
}

// For what the parser cannot name.
const UNREADABLE: Wording = {
  message: 'this is not JSON',
  hint: 'put keys and strings in double quotes; bare are only numbers, true, false and null',
}

const FOREIGN_WORDS: ReadonlySet<string> = new Set([
  'True',
  'False',
  'None',
  'NULL',
  'nil',
  'undefined',
  'NaN',
  'Infinity',
])

const NUMBER: Wording = {
  message: 'this number is not complete',
  hint: 'write digits after the point or the exponent',
}

const WORDINGS: ReadonlyMap<string, Wording> = new Map([
  [
    'PropertyNameExpected',
    {
      message: 'a key must stand here',
      hint: 'write the key in double quotes, a colon and its value',
    },
  ],
  ['ValueExpected', { message: 'a value must stand here', hint: 'write the value, or null' }],
  [
    'ColonExpected',
    { message: 'a colon must stand between a key and its value', hint: 'write it before this' },
  ],
  [
    'CommaExpected',
    { message: 'a comma is missing before this', hint: 'write a comma after the value above' },
  ],
  [
    'InvalidCommentToken',
    { message: 'JSON has no comments', hint: 'remove it, or make it the value of a key' },
  ],
  ['InvalidNumberFormat', NUMBER],
  ['UnexpectedEndOfNumber', NUMBER],
  [
    'UnexpectedEndOfString',
    {
      message: 'this string is not closed on its line',
      hint: 'close it with ", and write line ends as \\n',
    },
  ],
  [
    'InvalidUnicode',
    {
      message: 'a \\u in this string has no four hexadecimal digits',
      hint: 'write \\u and four of 0-9 and a-f',
    },
  ],
  [
    'InvalidEscapeCharacter',
    {
      message: 'this string has a backslash before a character that needs none',
      hint: 'write \\\\ for a backslash itself',
    },
  ],
  [
    'InvalidCharacter',
    {
      message: 'this string holds a control character',
      hint: 'write \\t for a tab, \\u and its code for others',
    },
  ],
])
