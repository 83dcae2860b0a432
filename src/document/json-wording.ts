import { type ParseError, printParseErrorCode } from 'jsonc-parser'
import type { Fault, Span } from './document.ts'

const MOST_FAULTS = 10

/** Message and hint of a syntax error. */
interface Wording {
  readonly message: string
  readonly hint: string
  /** The span of the error, if not where the parser noticed it. */
  readonly span?: Span
}

interface Notice extends Span {
  readonly code: string
}

/** Words the syntax errors of a JSON text; drops errors that only follow from the previous one. */
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
    // After this error, the parser closes brackets arbitrarily.
    if (message === WRONG_BRACKET) break
  }
  return faults
}

function* causes(text: string, errors: readonly ParseError[]): Generator<Notice> {
  let last: Notice | undefined
  for (const { error, offset, length } of errors) {
    // An unclosed comment ends one character after the text.
    const end = Math.min(offset + length, text.length)
    const notice = { code: printParseErrorCode(error), start: offset, end }
    const follows = last && followsFrom(last, notice, text)
    // The parser reports a bad key twice: where it is, and where it resumed.
    if (last?.code === 'PropertyNameExpected' && notice.code === 'ValueExpected') continue
    last = notice
    if (!follows) yield notice
  }
}

function followsFrom(last: Notice, next: Notice, text: string): boolean {
  if (next.start <= last.end) return true
  // An invalid word hides the expected token, which the parser then misses right after it.
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

/** For text after a string that has a typographic closing quote and so continued to the next straight one. */
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

/** The words for a token in place of another one. */
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

/** A number with leading zeros, which the parser splits in two. */
function leadingZero(text: string, second: number): Span | undefined {
  const before = text.slice(Math.max(0, second - 3), second)
  const sign = /(?<![\w.+-])-?0$/.exec(before)?.[0]
  const rest = /^\d[\d.eE+-]*/.exec(text.slice(second, second + 100))?.[0]
  if (sign === undefined || rest === undefined) return undefined
  return { start: second - sign.length, end: second + rest.length }
}

/** White space or invisible characters that JSON does not allow between tokens. */
const UNSEEN = /[^\S \t\r\n]|[\u00ad\u200b-\u200f\u2060-\u2064]/

/** A string up to its first typographic quote, if JSON could continue after it; a pair of them is text. */
const TYPOGRAPHIC_CLOSE =
  /^[^“”„‟]*[“”„‟](?=\s*(?:$|:|[}\]]\s*(?:[,}\]]|$)|,\s*(?:$|["{[\d-]|true|false|null)))/

/** Error codes at the end of a string. */
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
  hint: 'complete it, and close every quote, bracket and brace',
}
const TRAILING_COMMA: Wording = {
  message: 'a comma before a closing bracket',
  hint: 'remove the comma',
}
const WRONG_BRACKET = 'this bracket does not match the open one'
const NO_BRACE: Wording = {
  message: WRONG_BRACKET,
  hint: 'close the array with ] instead, or before it',
}
const NO_BRACKET: Wording = {
  message: WRONG_BRACKET,
  hint: 'close the object with } instead, or before it',
}
const LEADING_ZERO: Wording = {
  message: 'this number has a leading zero',
  hint: 'remove leading zeros, as in 0.6 or 7; put a name in double quotes',
}
const NO_DIGIT_FIRST: Wording = {
  message: 'a number must begin with a digit, or with a minus and a digit',
  hint: 'write it like 0.6 or 7',
}
const TYPOGRAPHIC: Wording = {
  message: 'JSON has no typographic quotes',
  hint: 'use straight double quotes at both ends',
}
const TYPOGRAPHIC_END: Wording = {
  message: 'this quote is typographic, and does not end a string',
  hint: 'use a straight double quote instead',
}
const NO_SPACE: Wording = {
  message: 'this invisible character is not a space in JSON',
  hint: 'replace it with a space, or remove it',
}
const MORE_TEXT: Wording = {
  message: 'unexpected text after the end of the JSON value',
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
  message: 'this word is not valid in JSON',
  hint: 'the only words without quotes are true, false and null',
}

// For errors without a known cause.
const UNREADABLE: Wording = {
  message: 'this is not valid JSON',
  hint: 'put keys and strings in double quotes; only numbers, true, false and null have none',
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
  message: 'this number is incomplete',
  hint: 'add digits after the point or the exponent',
}

const WORDINGS: ReadonlyMap<string, Wording> = new Map([
  [
    'PropertyNameExpected',
    {
      message: 'expected a key',
      hint: 'write a key in double quotes, a colon and a value',
    },
  ],
  ['ValueExpected', { message: 'expected a value', hint: 'write the value, or null' }],
  [
    'ColonExpected',
    { message: 'expected a colon between key and value', hint: 'write a colon before this' },
  ],
  [
    'CommaExpected',
    { message: 'expected a comma before this', hint: 'write a comma after the previous value' },
  ],
  [
    'InvalidCommentToken',
    { message: 'JSON has no comments', hint: 'remove it, or write it as the value of a key' },
  ],
  ['InvalidNumberFormat', NUMBER],
  ['UnexpectedEndOfNumber', NUMBER],
  [
    'UnexpectedEndOfString',
    {
      message: 'this string is not closed on the same line',
      hint: 'close it with ", and write line breaks as \\n',
    },
  ],
  [
    'InvalidUnicode',
    {
      message: 'a \\u in this string is not followed by four hexadecimal digits',
      hint: 'write \\u and four digits of 0-9 and a-f',
    },
  ],
  [
    'InvalidEscapeCharacter',
    {
      message: 'this string has an invalid escape',
      hint: 'write \\\\ for a backslash',
    },
  ],
  [
    'InvalidCharacter',
    {
      message: 'this string contains a control character',
      hint: 'write \\t for a tab, \\u and the code for others',
    },
  ],
])
