import type { Span } from './document.ts'

/** Detects typical mistakes that the parser notices too late or misinterprets. */
interface Slip {
  readonly message: string
  readonly hint: string
  readonly span: Span
}

interface Line extends Span {
  readonly text: string
  /** The column of its first key or text, after the dashes of a list. */
  readonly indent: number
}

/** Characters that look like a space but are text in YAML. */
const UNSEEN = '[^\\S \\t\\r\\n]'
const BEGINS_UNSEEN = new RegExp(`^${UNSEEN}+`)
/** In the indentation, and right after a dash or the colon of the line's own key; elsewhere they are text. */
const INDENTS_UNSEEN = new RegExp(`^( *(?:- +)*(?:-|[^\\s:#"'[\\]{}-][^:]*:)?)(${UNSEEN}+)`)

/** Whether a key begins with a character that looks like a space. */
export function beginsUnseen(key: string): boolean {
  return key.charCodeAt(0) > 127 && BEGINS_UNSEEN.test(key)
}

/** The mistake in the lines at or above the parser's position, if any. */
export function slipAt(reason: string, position: number, text: string): Slip | undefined {
  if (reason.startsWith('deficient indentation')) return beforeTooLittle(text, position)
  if (!/^(?:bad indentation of a [ms]|can not read a block m|end of the stream)/.test(reason))
    return undefined
  const here = lineAt(text, position)
  const above = lineAbove(text, here)
  const unseen = unseenIn(here) ?? (above && unseenIn(above))
  if (unseen || !above) return unseen
  if (text[position] !== ':') return commentedKey(text, above, position)
  return keySlip(reason, position, text, { above, here })
}

/** The mistake in a key at whose colon the parser stopped, or in the line above. */
function keySlip(
  reason: string,
  position: number,
  text: string,
  { above, here }: { readonly above: Line; readonly here: Line },
): Slip | undefined {
  const key = text.slice(here.start, position)
  const isKeyless = !hasKey(above) && !goesOn(text, above)
  const keyless = { start: above.start + above.indent, end: above.end }
  if (isKeyless && above.indent < here.indent && /[\p{L}\p{N}_]$/u.test(above.text))
    return { ...NO_COLON_AT_END, span: keyless }
  if (!/^ *[^\s:#"'[\]{}-][^:]*$/.test(key)) return undefined
  if (isKeyless && above.indent === here.indent) {
    const words = /^ *- /.test(above.text) ? NO_COLON_IN_ENTRY : NO_COLON
    return { ...words, span: keyless }
  }
  const span = { start: here.start + here.indent, end: position }
  return reason.startsWith('bad indentation of a m') ? { ...TOO_DEEP, span } : undefined
}

/** For a key that begins with a character that looks like a space. */
export function unseenSlip(text: string, { start, end }: Span): Slip | undefined {
  const found = BEGINS_UNSEEN.exec(text.slice(start, end))?.[0]
  return found === undefined ? undefined : unseen(found, start)
}

function unseenIn({ text, start }: Line): Slip | undefined {
  const [, before = '', found] = INDENTS_UNSEEN.exec(text) ?? []
  return found === undefined ? undefined : unseen(found, start + before.length)
}

function unseen(found: string, start: number): Slip {
  const code = found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
  return {
    message: `this looks like a space but is the character U+${code}, which is text in YAML`,
    hint: 'replace it with spaces',
    span: { start, end: start + found.length },
  }
}

function tabBefore(text: string, position: number): Slip | undefined {
  const blank = /[ \t]*$/.exec(text.slice(Math.max(0, position - 200), position))?.[0] ?? ''
  const tab = blank.indexOf('\t')
  if (tab < 0) return undefined
  const start = position - blank.length + tab
  return { ...TAB, span: { start, end: start + 1 } }
}

/** Number of lines above to search for an open quote or bracket. */
const MOST_LINES = 20

/** A dash before a space begins no key; otherwise every dash of a long line would scan the rest of it. */
const OPENS = /^ *(?:- +)*(?:(?!- )[^\s"'#:[\]{}][^:]*: +)?(["'[{])/

/** Why a line is indented too little: a tab in it, or an open quote or bracket above. */
function beforeTooLittle(text: string, position: number): Slip | undefined {
  const tab = tabBefore(text, position)
  return tab || text.slice(position).trim() === '' ? tab : openAbove(text, position)
}

/** The unclosed quote or bracket at the start of a value in the lines above. */
function openAbove(text: string, position: number): Slip | undefined {
  let line = lineAbove(text, lineAt(text, position))
  for (let i = 0; line && i < MOST_LINES; i++) {
    const found = OPENS.exec(line.text)
    if (found) {
      const at = found[0].length - 1
      const [opened = ''] = found.slice(1)
      const start = line.start + at
      return isClosed(opened, line.text.slice(at + 1))
        ? undefined
        : { ...(/["']/.test(opened) ? OPEN_QUOTE : OPEN_BRACKET), span: { start, end: start + 1 } }
    }
    line = lineAbove(text, line)
  }
  return undefined
}

const CLOSERS = new Map([
  ['[', ']'],
  ['{', '}'],
])

function isClosed(opened: string, rest: string): boolean {
  if (opened === '"') return /^(?:[^"\\]|\\.)*"/.test(rest)
  const closer = CLOSERS.get(opened) ?? opened
  const count = (mark: string) => rest.split(mark).length - 1
  return count(closer) > (closer === opened ? 0 : count(opened))
}

const OPEN_QUOTE = {
  message: 'this quote is not closed before a line that is indented too little to belong to it',
  hint: 'close it where its text ends, or indent its further lines',
}

const OPEN_BRACKET = {
  message: 'this bracket is not closed before a line that is indented too little to belong to it',
  hint: 'close it after its last entry, or indent its further lines',
}

const TAB = {
  message: 'a tab is not allowed here',
  hint: 'use spaces instead',
}

const NO_COLON = {
  message: 'this line has no key: there is no colon followed by a space',
  hint: 'write `key: value`; or, if it continues the value above, indent it further than that key',
}

const NO_COLON_IN_ENTRY = {
  message: NO_COLON.message,
  hint: 'write `- key: value`; or, if the line below is an entry, begin it with a dash too',
}

const NO_COLON_AT_END = {
  message: 'this line has no colon at its end, but keys are indented under it',
  hint: 'write `key:`; or, if the lines are one text, put all of it in quotes',
}

const NO_COLON_AT_COMMENT = {
  message: 'this line has no colon before its comment, but keys are indented under it',
  hint: 'write `key: # comment`; or, if all of it is text, put it in quotes',
}

/** A comment ends the text above it, so the parser stops at the key below, not after it. */
function commentedKey(text: string, above: Line, position: number): Slip | undefined {
  const here = lineAt(text, position)
  const [word] = /^[^#]*[^#\s](?=\s+#)/.exec(above.text) ?? []
  if (word === undefined || hasKey({ ...above, text: word }) || !hasKey(here)) return undefined
  if (goesOn(text, above)) return undefined
  if (position !== here.start + here.indent || above.indent >= here.indent) return undefined
  const span = { start: above.start + above.indent, end: above.start + word.length }
  return /[\p{L}\p{N}_]$/u.test(word) ? { ...NO_COLON_AT_COMMENT, span } : undefined
}

const TOO_DEEP = {
  message: 'this key is indented further than the one that it should follow',
  hint: 'indent it like the keys around it; if it is part of the text above, put that text in quotes',
}

const hasKey = ({ text }: Line): boolean => /:(?:\s|$)/.test(text)

/** Whether a line continues a text that the line above begins after a key. */
function goesOn(text: string, line: Line): boolean {
  const above = lineAbove(text, line)
  return above !== undefined && above.indent < line.indent && !/:\s*$/.test(above.text)
}

/** The line at a position; a line end belongs to the line before it. */
function lineAt(text: string, position: number): Line {
  let start = position
  while (start > 0 && !isLineEnd(text[start - 1])) start--
  let stop = position
  while (stop < text.length && !isLineEnd(text[stop])) stop++
  const own = text.slice(start, stop).trimEnd()
  const indent = /^ *(?:- +)*/.exec(own)?.[0].length ?? 0
  return { text: own, start, end: start + own.length, indent }
}

const isLineEnd = (character: string | undefined) => character === '\n' || character === '\r'

/** The nearest line above that is not blank or a comment. */
function lineAbove(text: string, { start }: Line): Line | undefined {
  for (let at = start; at > 0; ) {
    const line = lineAt(text, at - 1)
    if (!/^\s*(?:#|$)/.test(line.text)) return line
    at = line.start
  }
  return undefined
}
