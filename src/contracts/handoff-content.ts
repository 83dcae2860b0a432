import { quote, type Rules } from '../contract/index.ts'
import {
  type Document,
  findSecrets,
  type Markdown,
  type Path,
  type Span,
} from '../document/index.ts'
import type { Handoff } from './handoff.ts'
import type { HandoffFacts } from './handoff-facts.ts'
import { sectionAt } from './handoff-outline.ts'

const LETTER = '[\\p{L}\\p{M}\\p{N}]'
/**
 * Underscores join words, as in `todo_list`, and delimit emphasis, as in `_TODO_`: the letter beyond them decides.
 * The first letters come first in the pattern, so that runs of underscores are scanned only next to a match.
 */
const PLACEHOLDER = new RegExp(
  `(?=[TFPXC])(?<!${LETTER}_*)(?:TBD|TODO|FIXME|PLACEHOLDER|XXX|CHANGEME)(?!_*${LETTER})|(?<!\\S)\\.{3}(?!\\S)`,
  'giu',
)
/** A cheaper test without the context, which most texts fail. */
const SUSPECT = /T(?:BD|ODO)|FIXME|PLACEHOLDER|XXX|CHANGEME|\.{3}/i

/** Replaces words in quoted text that would count as the writer's placeholders. */
export function withoutPlaceholders(text: string): string {
  return text.replace(PLACEHOLDER, found => (found === '...' ? '…' : found.split('').join('-')))
}

const ALLOW = 'waybill-allow secrets:'

/** The rules about forbidden text. */
export const contentRules = {
  'no-placeholders': {
    severity: 'error',
    summary:
      'The body contains no TBD, TODO, FIXME, PLACEHOLDER, XXX, CHANGEME or `...` on its own.',
    why: 'A placeholder is missing context that a reader may take for a fact.',
    reads: ['/sections'],
    *check(_, { document: { markdown, text } }) {
      if (!markdown) return
      const { visible, pieces } = withoutComments(text, markdown)
      if (!SUSPECT.test(visible)) return
      let piece = 0
      const toSource = (offset: number) => {
        while ((pieces[piece + 1]?.at ?? offset + 1) <= offset) piece += 1
        return offset + (pieces[piece]?.shift ?? 0)
      }
      for (const { 0: found, index } of visible.matchAll(PLACEHOLDER)) {
        const start = toSource(index)
        const end = toSource(index + found.length - 1) + 1
        const section = sectionAt(markdown, start)
        const title = markdown.sections[section]?.title
        yield {
          path: title === undefined ? ['sections'] : ['sections', section],
          span: { start, end },
          message: `placeholder ${quote(found)} ${title === undefined ? 'before the first section' : `in ${quote(title)}`}`,
          hint: 'write the fact, or state that it is unknown and who can find out',
        }
      }
    },
  },
  'no-secrets': {
    severity: 'error',
    summary: 'The document, including its frontmatter, contains no credential.',
    why: 'A handoff is committed and shared, so a secret in it is published.',
    // The text is searched even if its structure is invalid.
    reads: [],
    unconditional: true,
    *check(_, { document }) {
      const secrets = findSecrets(document.text)
      if (secrets.length === 0) return
      const lines = document.text.split(/\r\n|\n|\r/)
      const isAmidText = amidTexts(document)
      for (const { kind, span, mask } of secrets) {
        const reason = allowance(lines[document.range(span).start.line - 1])
        const path = pathAt(document, span.start)
        yield {
          path,
          span,
          message: `possible credential: ${kind} ${mask}`,
          hint: `remove it and rotate the credential${excuse(path, isAmidText(span.start))}`,
          ...(reason ? { allowed: reason } : {}),
        }
      }
    },
  },
} satisfies Rules<Handoff, HandoffFacts>

/** The end of the hint: how to suppress a false positive; empty if no comment is possible there. */
function excuse(path: Path, isAmidText: boolean): string {
  const mark = `<!-- ${ALLOW} why -->`
  if (path[0] !== 'frontmatter') return `; for a false positive, write '${mark}' on the line before`
  // The frontmatter is YAML, where an HTML comment would be a key, or part of a multi-line text.
  return isAmidText ? '' : `; for a false positive, write '# ${mark}' on the line before`
}

/** The end of the header line of a `|` or `>` text, which may be followed by a comment. */
const OPENS_BLOCK = /[ \t][|>][-+\d]{0,2}(?:[ \t]+#[^\r\n]*|[ \t]*)(?:\r\n|\n|\r)\s*$/

/** Returns a test for ascending offsets: whether each is below the first line of a frontmatter text. */
function amidTexts(document: Document): (offset: number) => boolean {
  let texts: Span[] | undefined
  let at = 0
  return offset => {
    if (offset >= (document.markdown?.body.start ?? 0)) return false
    texts ??= continuedTexts(document)
    while ((texts[at]?.end ?? Infinity) <= offset) at += 1
    return (texts[at]?.start ?? Infinity) <= offset
  }
}

/** The frontmatter lines that continue a multi-line text, in order. */
function continuedTexts({ text, value, locate }: Document): Span[] {
  const spans: Span[] = []
  const visit = (path: Path, inner: unknown): void => {
    if (typeof inner === 'object' && inner !== null) {
      const isList = Array.isArray(inner)
      for (const [key, one] of Object.entries(inner))
        visit([...path, isList ? Number(key) : key], one)
      return
    }
    const { start, end } = locate(path)
    const isBlock = OPENS_BLOCK.test(text.slice(Math.max(0, start - 100), start))
    const first = isBlock ? 0 : text.slice(start, end).search(/[\r\n]/)
    if (first >= 0) spans.push({ start: start + first, end })
  }
  visit(['frontmatter'], (value as { readonly frontmatter?: unknown }).frontmatter)
  return spans.sort((a, b) => a.start - b.start)
}

/** The reason in a comment at the end of a line that suppresses findings in the next line. */
function allowance(line: string | undefined): string | undefined {
  const comment = line?.slice(line.lastIndexOf('<!--') + 4).trim()
  if (!comment?.endsWith('-->') || !line?.includes('<!--')) return undefined
  const words = comment.slice(0, -3).trim()
  return words.startsWith(ALLOW) ? words.slice(ALLOW.length).trim() : undefined
}

/** The body as a reader sees it, and the offset of each stretch in the source. */
function withoutComments(text: string, { body, comments }: Markdown) {
  const pieces: { at: number; shift: number }[] = []
  let visible = ''
  let from = body.start
  for (const { start, end } of [...comments, { start: body.end, end: body.end }]) {
    pieces.push({ at: visible.length, shift: from - visible.length })
    visible += text.slice(from, start)
    from = end
  }
  return { visible, pieces }
}

function pathAt({ markdown }: Document, offset: number): Path {
  if (!markdown) return []
  if (offset < markdown.body.start) return ['frontmatter']
  const section = sectionAt(markdown, offset)
  return section < 0 ? ['sections'] : ['sections', section]
}
