import type { Span } from './document.ts'

/** What the lines show of a slip that the parser notices only behind it, or takes for another. */
interface Slip {
  readonly message: string
  readonly hint: string
  readonly span: Span
}

interface Line extends Span {
  readonly text: string
  /** How far to the right its first key or text stands, behind the dashes of a list. */
  readonly indent: number
}

/** What looks like a space, and what YAML takes for a part of the text. */
const UNSEEN = '[^\\S \\t\\r\\n]'
const BEGINS_UNSEEN = new RegExp(`^${UNSEEN}+`)
/** In the indentation, and right behind a dash or the colon of the line's own key; anywhere else it is text. */
const INDENTS_UNSEEN = new RegExp(`^( *(?:- +)*(?:-|[^\\s:#"'[\\]{}-][^:]*:)?)(${UNSEEN}+)`)

/** Whether a key begins with what looks like a space, and is neither space nor tab. */
export function beginsUnseen(key: string): boolean {
  return key.charCodeAt(0) > 127 && BEGINS_UNSEEN.test(key)
}

/** The slip in the lines at and above the place that the parser stopped at, if they show one. */
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

/** What is wrong with a key at whose colon the parser stopped, or with the line above it. */
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

/** For a key that begins with what looks like a space, if it does. */
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
    message: `this looks like a space, and is the character U+${code}, which YAML takes for text`,
    hint: 'write spaces instead',
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

/** So many lines above are looked at for what is still open; a text over more of them is seldom a slip. */
const MOST_LINES = 20

/** A dash before a space begins no key: taken for one too, every dash of a long line would read the rest of it. */
const OPENS = /^ *(?:- +)*(?:(?!- )[^\s"'#:[\]{}][^:]*: +)?(["'[{])/

/** What makes a line have too little indentation: a tab in it, or what is still open above it. */
function beforeTooLittle(text: string, position: number): Slip | undefined {
  const tab = tabBefore(text, position)
  return tab || text.slice(position).trim() === '' ? tab : openAbove(text, position)
}

/** The quote or bracket that a value of the lines above begins with, and that its own line does not close. */
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
  message: 'this quote is not closed before a line that is indented too little for its text',
  hint: 'close it where its text ends, or indent the lines it goes over',
}

const OPEN_BRACKET = {
  message: 'this bracket is not closed before a line that is indented too little to stand in it',
  hint: 'close it behind its last entry, or indent the lines it goes over',
}

const TAB = {
  message: 'a tab stands here, where only spaces may stand',
  hint: 'write spaces instead',
}

const NO_COLON = {
  message: 'this line has no key: there is no colon with a space behind it',
  hint: 'write `key: value`; or indent it further than the key above, if it goes on with its value',
}

const NO_COLON_IN_ENTRY = {
  message: NO_COLON.message,
  hint: 'write `- key: value`; or begin the line below with a dash too, if it is an entry of its own',
}

const NO_COLON_AT_END = {
  message: 'this line has no colon at its end, and keys are indented under it',
  hint: 'write `key:`; or, if the lines are one text, put all of it in quotes',
}

const NO_COLON_AT_COMMENT = {
  message: 'this line has no colon before its comment, and keys are indented under it',
  hint: 'write `key: # comment`; or, if all of it is text, put it in quotes',
}

/** A comment ends the text above it, so that the parser stops at the key below and not behind it. */
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
  message: 'this key stands further to the right than the one that it should follow',
  hint: 'indent it like the keys beside it; if it is part of the text above, put that text in quotes',
}

const hasKey = ({ text }: Line): boolean => /:(?:\s|$)/.test(text)

/** Whether a line goes on with a text that the line above it begins behind a key. */
function goesOn(text: string, line: Line): boolean {
  const above = lineAbove(text, line)
  return above !== undefined && above.indent < line.indent && !/:\s*$/.test(above.text)
}

/** The line that a position stands in; a line end is part of the line before it. */
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

/** The line above that is neither blank nor a comment. */
function lineAbove(text: string, { start }: Line): Line | undefined {
  for (let at = start; at > 0; ) {
    const line = lineAt(text, at - 1)
    if (!/^\s*(?:#|$)/.test(line.text)) return line
    at = line.start
  }
  return undefined
}
