import Parser, { type Env, type MarkdownIt, type StateInline } from 'markdown-it'
import type { Span } from './document.ts'

/** A code span or comment in the content of a block; offsets are into that content. */
export interface Piece extends Span {
  readonly kind: 'code' | 'comment'
  /** The text of a code span: line ends as spaces, one space at both ends removed. */
  readonly text: string
}

interface InlineEnv extends Env {
  readonly pieces: Piece[]
  readonly links: boolean
}

type InlineRule = (state: StateInline, silent: boolean) => boolean

/** Characters that can begin, hide or contain a code span or comment; emphasis and entities cannot. */
const RULES = ['text', 'escape', 'backticks', 'link', 'image', 'autolink', 'html_inline']

/** Characters that require the parser. */
const NOT_PLAIN = /[<\\]|``/

/** In a block without other markup, such a comment ends with the first `-->`. */
const LONE_COMMENT = /^<!--(?!-?>)/

const SPECIAL_HTML: readonly (readonly [RegExp, string])[] = [
  [/^<!--/, '-->'],
  [/^<!\[CDATA\[/, ']]>'],
  [/^<\?/, '?>'],
  [/^<![A-Za-z]/, '>'],
]

/** HTML blocks whose content is not HTML: scripts, instructions, declarations, character data. */
const OPAQUE_HTML = /^<(?:(?:script|pre|style|textarea)(?![^\s>])|\?|![A-Za-z]|!\[CDATA\[)/i

let parser: MarkdownIt | undefined

/** Finds the code spans and comments in a paragraph or heading, in order. */
export function readInline(content: string, references: Env['references']): readonly Piece[] {
  // Brackets matter only where a link may end: its address, title or label contains no code span or comment.
  const links = content.includes('](') || content.includes('][')
  if (!links && !NOT_PLAIN.test(content)) return readPlainInline(content)
  parser ??= createInlineParser()
  const env: InlineEnv = { pieces: [], links, ...(references && { references }) }
  parser.inline.parse(content, parser, env, [])
  return env.pieces
}

/** If all backticks are single and nothing escapes them, every second one closes a code span. */
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

/** Finds the comments in an HTML block, in order, ignoring those inside a tag. */
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

/** Decodes the escapes and entities in the info string of a fence. */
export function decodeInfo(info: string): string {
  if (!/[\\&]/.test(info)) return info
  parser ??= createInlineParser()
  return parser.utils.unescapeAll(info)
}

function createInlineParser(): MarkdownIt {
  const created = new Parser('commonmark', { maxNesting: 32 })
  // CommonMark forbids no addresses in links.
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
 * The parser remembers only that some special HTML is unclosed, and applies it to every kind and to earlier text, so it
 * finds no comment in `<? <!-- a -->` or `[ <!-- a --> <!--`. Here each closing marker is remembered separately, with
 * the offset from which the search failed.
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

/** An image description is parsed as a separate text, so offsets in it must be moved. */
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
