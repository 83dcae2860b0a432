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

function word(text: string, { code, start, end }: Notice): Wording {
  const found = text.slice(start, end)
  const lastEnd = text.slice(0, start).trimEnd().length
  if (EXPECTATIONS.has(code)) {
    if (start >= text.length) return { ...TEXT_ENDS, span: { start: lastEnd, end: lastEnd } }
    if (found === '}' || found === ']') {
      if (text[lastEnd - 1] === ',')
        return { ...TRAILING_COMMA, span: { start: lastEnd - 1, end: lastEnd } }
      if (code === 'CommaExpected') return WRONG_BRACKET
    }
  }
  if (code === 'InvalidSymbol') return wordSymbol(found, text.slice(end))
  if (code === 'EndOfFileExpected')
    return { ...MORE_TEXT, span: { start, end: text.trimEnd().length } }
  return WORDINGS.get(code) ?? UNREADABLE
}

function wordSymbol(found: string, rest: string): Wording {
  if (found.startsWith("'")) return SINGLE_QUOTE
  if (/^\s*:/.test(rest)) return BARE_KEY
  return FOREIGN_WORDS.has(found) ? FOREIGN_WORD : UNREADABLE
}

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
const WRONG_BRACKET: Wording = {
  message: 'this bracket does not fit the one that is open',
  hint: 'close objects with } and arrays with ]',
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
