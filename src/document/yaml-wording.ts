import type { Fault, Span } from './document.ts'
import { MAX_DEPTH } from './json-scan.ts'
import { slipAt, unseenSlip } from './yaml-slips.ts'

/** For an alias. */
export function aliasFault(span: Span): Fault {
  return {
    code: 'syntax/yaml-alias',
    message: 'aliases are not supported',
    hint: 'write the value itself',
    span,
  }
}

/** For a tag outside the core schema, or one that its value does not fit. */
export function tagFault(span: Span): Fault {
  return {
    code: 'syntax/yaml-tag',
    message: 'this tag is unknown, or its value does not fit it',
    hint: 'remove the tag, and put strings in quotes',
    span,
  }
}

/** For a key that cannot be a key in JSON. */
export function keyFault(span: Span): Fault {
  return {
    code: 'syntax/yaml-key',
    message: 'a key must be a string, a number or a boolean',
    hint: 'write a plain key, or put it in quotes',
    span,
  }
}

/** For a key that begins with a character that looks like a space. */
export function unseenFault(text: string, span: Span): Fault | undefined {
  const slip = unseenSlip(text, span)
  return slip && { code: 'syntax/yaml', ...slip }
}

/** For a `%YAML` directive of another version than 1.2. */
export function versionFault(span: Span): Fault {
  return {
    code: 'syntax/yaml',
    message: 'documents are read as YAML 1.2, whatever version they declare',
    hint: 'remove the directive',
    span,
  }
}

/** For a stream of several documents. */
export function secondDocumentFault(span: Span): Fault {
  return {
    code: 'syntax/multiple-documents',
    message: 'only one YAML document is allowed, and a second begins here',
    hint: 'keep one document in a file or block',
    span,
  }
}

/** For nesting beyond the limit. */
export function tooDeepFault(span: Span): Fault {
  return {
    code: 'syntax/too-deep',
    message: `mappings and sequences are nested more than ${MAX_DEPTH} levels deep here`,
    hint: 'write it with fewer levels',
    span,
  }
}

/** For a text without a value. */
export function emptyFault(span: Span): Fault {
  return {
    code: 'syntax/empty',
    message: 'the document is empty',
    hint: 'write at least one key and its value',
    span,
  }
}

/** For an error of the parser; its reason is an English phrase that may quote the text. */
export function parserFault(reason: string, position: number, text: string): Fault {
  const start = startOf(reason, position, text)
  const span = { start, end: /[\r\n]|^$/.test(text.charAt(start)) ? start : start + 1 }
  if (reason.startsWith('nesting exceeded')) return tooDeepFault(span)
  if (/[\ud800-\udfff]/.test(text.charAt(start)) && reason.includes('non-printable')) {
    return {
      code: 'syntax/lone-surrogate',
      message: 'a lone UTF-16 surrogate is not a character',
      hint: 'write the character itself',
      span,
    }
  }
  const slip = slipAt(reason, position, text)
  if (slip) return { code: 'syntax/yaml', ...slip }
  const wording = inLine(reason, text, start) ?? WORDINGS.find(([pattern]) => pattern.test(reason))
  return {
    code: 'syntax/yaml',
    message: wording?.[1] ?? `this is not valid YAML: ${reason.replace(/(?:: | ").*$/s, '')}`,
    hint: wording?.[2] ?? 'put a string with special characters in quotes',
    span,
  }
}

/** The position of the cause: the parser notices some errors only at the end of the text, or on the next line. */
function startOf(reason: string, position: number, text: string): number {
  const isAtEnd = reason.includes('unexpected end') || text.slice(position).trim() === ''
  if (isAtEnd) return text.trimEnd().length
  const before = text.slice(0, position)
  return /^expected ':'|^can not read/.test(reason) ? before.trimEnd().length : before.length
}

type Wording = readonly [reason: RegExp, message: string, hint: string]

/** The parser also reports indentation errors at the end, for invalid starts of values, and for continued values. */
function inLine(reason: string, text: string, at: number): Wording | undefined {
  if (reason.startsWith('deficient indentation'))
    return text.slice(at).trim() === '' ? NEVER_CLOSED : undefined
  if (!reason.startsWith('bad indentation')) return undefined
  const before = text.slice(Math.max(0, at - 200), at)
  if (/[@`%]/.test(text.charAt(at)) || /:[ \t]*$/.test(before)) return NO_BEGINNING
  if (/[\]}"'][ \t]*$/.test(before)) return CLOSED
  return /[^ \t\r\n-][ \t]*$/.test(before) ? COMPLETE : undefined
}

const NEVER_CLOSED: Wording = [
  /^deficient indentation/,
  'a bracket, brace or quote is never closed',
  'close it where the value ends',
]

const NO_BEGINNING: Wording = [
  /^bad indentation/,
  'a value cannot begin like this',
  'put a string with special characters in quotes, and begin a list on the next line',
]

const CLOSED: Wording = [
  /^bad indentation/,
  'the value is complete before this: it ends with the bracket or quote',
  'put all of it in quotes: single ones if it contains double ones, otherwise double ones',
]

const COMPLETE: Wording = [
  /^bad indentation/,
  'the value is complete before this',
  'put a string that contains a colon and a space in quotes',
]

const WORDINGS: readonly Wording[] = [
  [/^tab characters/, 'the indentation contains a tab', 'indent with spaces'],
  [
    /^deficient indentation/,
    'a bracket, brace or quote is still open here, or its lines are indented too little',
    'close it, or indent its further lines',
  ],
  [
    /^bad indentation/,
    'this line does not fit the list or mapping around it',
    'give all entries the same indentation, and do not mix list entries and keys',
  ],
  [
    /^expected ':'|^can not read a block mapping entry/,
    'a key without a colon, or the rest of a string that should be in quotes',
    'write `key: value`, and put a string with special characters in quotes',
  ],
  [
    /^a whitespace character is expected/,
    'expected a space between the colon and the value',
    'write `key: value`',
  ],
  [
    /^missed comma|^expected the node content/,
    'the entries between these brackets are not separated by single commas',
    'write one comma between entries',
  ],
  [
    /^unexpected end .* flow collection/,
    'a bracket or brace is never closed',
    'close it with ] or }',
  ],
  [
    /^unexpected end .* quoted scalar/,
    'a quoted string is never closed',
    'close it with the quote that opens it',
  ],
  [
    /^unknown escape|^expected hexadecimal/,
    'a backslash in double quotes begins an invalid escape',
    'write \\\\ for a backslash, or use single quotes',
  ],
  [
    /non-printable|^null byte|^expected valid JSON/,
    'a control character is not allowed here',
    'remove it, or write it as an escape in double quotes',
  ],
  [
    /^end of the stream or a document separator/,
    'the document is complete before this',
    'indent this line as part of the value above, or remove it',
  ],
]
