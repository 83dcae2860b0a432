import Parser, { type Env, type MarkdownIt, type StateBlock, type Token } from 'markdown-it'
import type { Span } from './document.ts'
import { lowerBound } from './markdown-source.ts'

/** A contiguous part of a block's content in the source: one or more lines. */
export interface LeafLine {
  readonly at: number
  readonly source: number
  /** Leading spaces left of a tab, which have no source of their own. */
  readonly padding: number
}

/** A block that holds text rather than other blocks; all offsets are into the normalised source. */
export interface Leaf extends Span {
  readonly kind: 'text' | 'html' | 'fence' | 'code'
  /** The text without indentation and without markers of enclosing quotes and lists. */
  readonly content: string
  /** The raw info string, for a fence. */
  readonly info: string
  /** The zero-based first line. */
  readonly line: number
  readonly lines: readonly LeafLine[]
}

/** A heading outside quotes and lists. */
export interface TopHeading extends Span {
  /** From 1 to 6. */
  readonly level: number
  readonly title: string
  /** The start of its first line. */
  readonly lineStart: number
  /** The start of the line after it. */
  readonly next: number
}

/** The results of one pass over the blocks of a document, in text order. */
export interface Blocks {
  readonly leaves: readonly Leaf[]
  readonly headings: readonly TopHeading[]
  /** The link reference definitions, for parsing inline content later. */
  readonly references: NonNullable<Env['references']> | undefined
  /** The first line skipped because it is nested too deeply. */
  readonly tooDeep?: Span
}

interface Recording extends Env {
  readonly leaves: Leaf[]
  readonly headings: TopHeading[]
  tooDeep?: Span
}

type Recorder = (state: StateBlock, line: number, opening: Token, into: Recording) => void

/**
 * Each open quote counts once and each open list twice. The parser processes a line once per level, so the bound keeps
 * its time linear; it skips deeper lines silently, which `tooDeep` reports.
 */
const MAX_NESTING = 32

const CHAINS = ['paragraph', 'reference', 'blockquote', 'list']
const SPACE = 0x20
const TAB = 0x09

let parser: MarkdownIt | undefined

/** Parses the blocks of a normalised Markdown text, without inline content. */
export function readBlocks(normal: string): Blocks {
  parser ??= createBlockParser()
  const recording: Recording = { leaves: [], headings: [] }
  parser.block.parse(normal, parser, recording, [])
  const { leaves, headings, references, tooDeep } = recording
  return { leaves, headings, references, ...(tooDeep && { tooDeep }) }
}

/** Maps an offset in the content of a leaf to one in the normalised source. */
export function leafSource(leaf: Leaf, offset: number): number {
  const after = lowerBound(leaf.lines, offset + 1, line => line.at)
  const line = leaf.lines[after - 1]
  if (line === undefined) return leaf.start
  const column = offset - line.at
  // The remaining spaces of a tab map to the tab, right before the rest of the line.
  return column < line.padding ? line.source - 1 : line.source + column - line.padding
}

function createBlockParser(): MarkdownIt {
  const created = new Parser('commonmark', { maxNesting: MAX_NESTING })
  // CommonMark forbids no addresses in definitions.
  created.validateLink = () => true
  created.normalizeLink = url => url
  const enabled = ['blockquote', 'code', 'fence', 'heading', 'hr', 'html_block', 'lheading']
  const recorders: Readonly<Record<string, Recorder>> = {
    code: recordCode,
    fence: recordFence,
    heading: recordHeading,
    html_block: recordHtml,
    lheading: recordHeading,
    paragraph: recordText,
  }
  for (const [name, recorder] of Object.entries(recorders)) recordRule(created, name, recorder)
  created.block.ruler.enableOnly([...enabled, 'list', 'reference', 'paragraph'])
  recordDepth(created)
  return created
}

/**
 * Records source positions after a rule of the parser. Only while a rule runs does the parser's state know where each
 * line begins inside quotes and lists; its tokens do not keep it.
 */
function recordRule(created: MarkdownIt, name: string, recorder: Recorder): void {
  const { ruler } = created.block
  ruler.enableOnly(name)
  const [rule] = ruler.getRules('')
  const alt = CHAINS.filter(chain => ruler.getRules(chain).length > 0)
  if (rule === undefined) return
  const recorded: typeof rule = (state, startLine, endLine, silent) => {
    const index = state.tokens.length
    const found = rule(state, startLine, endLine, silent)
    const opening = silent ? undefined : state.tokens[index]
    if (found && opening) recorder(state, startLine, opening, state.env as Recording)
    return found
  }
  ruler.at(name, recorded, { alt })
}

function recordDepth(created: MarkdownIt): void {
  const { block } = created
  const tokenize = block.tokenize.bind(block)
  block.tokenize = (state, startLine, endLine) => {
    if (state.level >= MAX_NESTING) {
      const recording = state.env as Recording
      const line = state.skipEmptyLines(startLine)
      const belongs = line < endLine && (state.sCount[line] ?? 0) >= state.blkIndent
      if (belongs)
        recording.tooDeep ??= { start: textStart(state, line), end: state.eMarks[line] ?? 0 }
    }
    tokenize(state, startLine, endLine)
  }
}

function recordText(state: StateBlock, line: number, opening: Token, into: Recording): void {
  const content = state.tokens.at(-2)?.content ?? ''
  const lines = contentLines(state, content, line, state.blkIndent)
  // The parser trims a paragraph, including white space before its first line.
  lines[0] = { at: 0, source: state.skipSpaces(lines[0]?.source ?? 0), padding: 0 }
  into.leaves.push(leaf(state, line, opening, { kind: 'text', content, lines }))
}

function recordHeading(state: StateBlock, line: number, opening: Token, into: Recording): void {
  if (opening.markup.startsWith('#')) recordAtxText(state, line, opening, into)
  else recordText(state, line, opening, into)
  const text = into.leaves.at(-1)
  if (text === undefined || state.level > 0) return
  into.headings.push({
    level: Number(opening.tag.slice(1)),
    title: text.content,
    start: text.start,
    end: text.end,
    lineStart: state.bMarks[line] ?? 0,
    next: state.bMarks[opening.map?.[1] ?? line] ?? 0,
  })
}

function recordAtxText(state: StateBlock, line: number, opening: Token, into: Recording): void {
  const content = state.tokens.at(-2)?.content ?? ''
  const source = state.skipSpaces(textStart(state, line) + opening.markup.length)
  const lines = [{ at: 0, source, padding: 0 }]
  into.leaves.push(leaf(state, line, opening, { kind: 'text', content, lines }))
}

function recordHtml(state: StateBlock, line: number, opening: Token, into: Recording): void {
  const { content } = opening
  const lines = contentLines(state, content, line, state.blkIndent)
  into.leaves.push(leaf(state, line, opening, { kind: 'html', content, lines }))
}

function recordCode(state: StateBlock, line: number, opening: Token, into: Recording): void {
  into.leaves.push(leaf(state, line, opening, { kind: 'code', content: '', lines: [] }))
}

function recordFence(state: StateBlock, line: number, opening: Token, into: Recording): void {
  const { content } = opening
  const lines = contentLines(state, content, line + 1, state.sCount[line] ?? 0)
  into.leaves.push(leaf(state, line, opening, { kind: 'fence', content, lines }))
}

function leaf(
  state: StateBlock,
  line: number,
  opening: Token,
  part: Pick<Leaf, 'kind' | 'content' | 'lines'>,
): Leaf {
  const last = (opening.map?.[1] ?? line + 1) - 1
  const end = state.eMarks[last] ?? state.src.length
  return { ...part, info: opening.info, line, start: textStart(state, line), end }
}

function textStart(state: StateBlock, line: number): number {
  return (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0)
}

function contentLines(
  state: StateBlock,
  content: string,
  first: number,
  indent: number,
): LeafLine[] {
  const lines: LeafLine[] = []
  let at = 0
  for (let line = first; ; line++) {
    lines.push(contentLine(state, line, indent, at))
    at = content.indexOf('\n', at) + 1
    if (at === 0 || at === content.length) return lines
  }
}

/** Follows `StateBlock.getLines`, which removes indentation without reporting how much. */
function contentLine(state: StateBlock, line: number, indent: number, at: number): LeafLine {
  const start = state.bMarks[line] ?? state.src.length
  const end = state.eMarks[line] ?? start
  const masked = start + (state.tShift[line] ?? 0)
  const shift = state.bsCount[line] ?? 0
  let source = start
  let columns = 0
  for (; source < end && columns < indent; source++) {
    const character = state.src.charCodeAt(source)
    if (character === TAB) columns += 4 - ((columns + shift) % 4)
    else if (character === SPACE || source < masked) columns++
    else break
  }
  return { at, source, padding: Math.max(0, columns - indent) }
}
