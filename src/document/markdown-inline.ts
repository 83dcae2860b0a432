import Parser, { type Env, type MarkdownIt, type StateInline } from 'markdown-it'
import type { Span } from './document.ts'

/** A code span or a comment found in the content of a block; offsets are into that content. */
export interface Piece extends Span {
  readonly kind: 'code' | 'comment'
  /** What a code span says: line ends as spaces, one space at both ends removed. */
  readonly text: string
}

interface InlineEnv extends Env {
  readonly pieces: Piece[]
  readonly links: boolean
}

type InlineRule = (state: StateInline, silent: boolean) => boolean

/** Only these can begin, hide or swallow a code span or a comment; emphasis and entities cannot. */
const RULES = ['text', 'escape', 'backticks', 'link', 'image', 'autolink', 'html_inline']

/** What a text may not hold to be read without the parser. */
const NOT_PLAIN = /[<\\]|``/

/** Such a comment ends with the first `-->`, if no other mark stands in the block. */
const LONE_COMMENT = /^<!--(?!-?>)/

const SPECIAL_HTML: readonly (readonly [RegExp, string])[] = [
  [/^<!--/, '-->'],
  [/^<!\[CDATA\[/, ']]>'],
  [/^<\?/, '?>'],
  [/^<![A-Za-z]/, '>'],
]

/** HTML blocks whose content is no HTML of its own: scripts, instructions, declarations, character data. */
const OPAQUE_HTML = /^<(?:(?:script|pre|style|textarea)(?![^\s>])|\?|![A-Za-z]|!\[CDATA\[)/i

let parser: MarkdownIt | undefined

/** Finds the code spans and comments in the content of a paragraph or heading, in order. */
export function readInline(content: string, references: Env['references']): readonly Piece[] {
  // Brackets matter only where a link may end: its address, title or label holds no code span and no comment.
  const links = content.includes('](') || content.includes('][')
  if (!links && !NOT_PLAIN.test(content)) return readPlainInline(content)
  parser ??= createInlineParser()
  const env: InlineEnv = { pieces: [], links, ...(references && { references }) }
  parser.inline.parse(content, parser, env, [])
  return env.pieces
}

/** Where nothing escapes or outranks a backtick, and all stand alone, each second one closes a code span. */
function readPlainInline(content: string): Piece[] {
  const pieces: Piece[] = []
  for (let start = content.indexOf('`'); start !== -1; ) {
    const close = content.indexOf('`', start + 1)
    if (close === -1) break
    const inner = content.slice(start + 1, close).replaceAll('\n', ' ')
    const isPadded = inner.startsWith(' ') && inner.endsWith(' ') && /[^ ]/.test(inner)
    const text = isPadded ? inner.slice(1, -1) : inner
    pieces.push({ kind: 'code', text, start, end: close + 1 })
    start = content.indexOf('`', close + 1)
  }
  return pieces
}

/** Finds the comments in the content of an HTML block, in order; what looks like one inside a tag is none. */
export function readHtmlComments(content: string): readonly Piece[] {
  if (LONE_COMMENT.test(content) && content.lastIndexOf('<') === 0) {
    const close = content.indexOf('-->', '<!--'.length)
    return close === -1 ? [] : [{ kind: 'comment', text: '', start: 0, end: close + '-->'.length }]
  }
  parser ??= createInlineParser()
  const [html] = parser.inline.ruler.getRules('html')
  if (html === undefined || OPAQUE_HTML.test(content.trimStart())) return []
  const env: InlineEnv = { pieces: [], links: false }
  const state = new parser.inline.State(content, parser, env, [])
  for (let at = content.indexOf('<'); at !== -1; at = content.indexOf('<', state.pos)) {
    state.pos = at
    if (!html(state, false)) state.pos = at + 1
  }
  return env.pieces
}

/** Resolves the escapes and entities in the info string of a fence. */
export function decodeInfo(info: string): string {
  if (!/[\\&]/.test(info)) return info
  parser ??= createInlineParser()
  return parser.utils.unescapeAll(info)
}

function createInlineParser(): MarkdownIt {
  const created = new Parser('commonmark', { maxNesting: 32 })
  // CommonMark knows no forbidden addresses: a link to any of them is a link.
  created.validateLink = () => true
  created.normalizeLink = url => url
  created.normalizeLinkText = url => url
  wrapRule(created, 'backticks', recordCodeSpan)
  wrapRule(created, 'html_inline', recordComment)
  wrapRule(created, 'link', whereLinksMatter)
  wrapRule(created, 'image', rule => moveImagePieces(whereLinksMatter(rule)))
  created.inline.ruler.enableOnly(RULES)
  created.inline.ruler2.enableOnly([])
  return created
}

function wrapRule(created: MarkdownIt, name: string, wrap: (rule: InlineRule) => InlineRule): void {
  const { ruler } = created.inline
  ruler.enableOnly(name)
  const [rule] = ruler.getRules('')
  if (rule) ruler.at(name, wrap(rule), { alt: name === 'html_inline' ? ['html'] : [] })
}

function recordCodeSpan(rule: InlineRule): InlineRule {
  return (state, silent) => {
    const start = state.pos
    const count = state.tokens.length
    const found = rule(state, silent)
    const token = state.tokens.at(-1)
    if (found && state.tokens.length > count && token?.type === 'code_inline') {
      const { pieces } = state.env as InlineEnv
      pieces.push({ kind: 'code', text: token.content, start, end: state.pos })
    }
    return found
  }
}

function recordComment(rule: InlineRule): InlineRule {
  const html = withSeparateSearches(rule)
  return (state, silent) => {
    const start = state.pos
    const found = html(state, silent)
    if (found && !silent && state.src.startsWith('<!--', start)) {
      const { pieces } = state.env as InlineEnv
      pieces.push({ kind: 'comment', text: '', start, end: state.pos })
    }
    return found
  }
}

/**
 * The parser remembers that some special HTML is not closed, and then believes it of every kind and of what stands
 * before, so that neither `<? <!-- a -->` nor `[ <!-- a --> <!--` would hold a comment. Here each closing is
 * remembered by itself, with the place from which it was looked for in vain.
 */
function withSeparateSearches(rule: InlineRule): InlineRule {
  const vain = new WeakMap<StateInline, Map<string, number>>()
  return (state, silent) => {
    const start = state.pos
    const head = state.src.slice(start, start + '<![CDATA['.length)
    const closing = SPECIAL_HTML.find(([opening]) => opening.test(head))?.[1]
    if (closing === undefined) return rule(state, silent)
    if (start >= (vain.get(state)?.get(closing) ?? Number.POSITIVE_INFINITY)) return false
    state.skipHtmlSpecial = false
    const found = rule(state, silent)
    if (state.skipHtmlSpecial) vain.set(state, (vain.get(state) ?? new Map()).set(closing, start))
    return found
  }
}

function whereLinksMatter(rule: InlineRule): InlineRule {
  return (state, silent) => (state.env as InlineEnv).links && rule(state, silent)
}

/** The description of an image is read as a text of its own, so what was found there still has to be moved. */
function moveImagePieces(rule: InlineRule): InlineRule {
  return (state, silent) => {
    const { pieces } = state.env as InlineEnv
    const count = pieces.length
    const shift = state.pos + '!['.length
    const found = rule(state, silent)
    if (pieces.length === count) return found
    for (const piece of pieces.splice(count)) {
      pieces.push({ ...piece, start: piece.start + shift, end: piece.end + shift })
    }
    return found
  }
}
