import { quote, type Rules } from '../../../contract/index.ts'
import {
  type Document,
  findSecrets,
  type Markdown,
  type Path,
  type Span,
} from '../../../document/index.ts'
import type { HandoffFacts } from '../facts.ts'
import type { HandoffDocument } from '../schema.ts'

const LETTER = '[\\p{L}\\p{M}\\p{N}]'
/**
 * Underscores join words, as in `todo_list`, and delimit emphasis, as in `_TODO_`: what counts is the letter beyond them.
 *
 * The first letters stand before all else, so that a run of underscores is looked through only beside one.
 */
const PLACEHOLDER = new RegExp(
  `(?=[TFPXC])(?<!${LETTER}_*)(?:TBD|TODO|FIXME|PLACEHOLDER|XXX|CHANGEME)(?!_*${LETTER})|(?<!\\S)\\.{3}(?!\\S)`,
  'giu',
)
/** The same without regard to what stands beside it, which most texts do not hold either; it costs half as much. */
const SUSPECT = /T(?:BD|ODO)|FIXME|PLACEHOLDER|XXX|CHANGEME|\.{3}/i

/** A text of others as it can stand in a document, where its words would be taken for placeholders of the writer. */
export function withoutPlaceholders(text: string): string {
  return text.replace(PLACEHOLDER, found => (found === '...' ? '…' : found.split('').join('-')))
}

const ALLOW = 'waybill-allow secrets:'

/** What may stand nowhere in the text. */
export const contentRules = {
  'no-placeholders': {
    severity: 'error',
    summary:
      'The body holds no TBD, TODO, FIXME, PLACEHOLDER, XXX or CHANGEME, and no `...` that stands alone.',
    why: 'A placeholder is lost context that the reader takes for a fact.',
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
          hint: 'write the fact, or say that it is unknown and who can find it out',
        }
      }
    },
  },
  'no-secrets': {
    severity: 'error',
    summary: 'Nothing in the document looks like a credential, the frontmatter included.',
    why: 'A handoff is committed and read by whoever resumes; a secret in it is published.',
    // The text is searched whatever its structure is worth.
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
          message: `what looks like a credential: ${kind} ${mask}`,
          hint: `take it out and change it where it is valid${excuse(path, isAmidText(span.start))}`,
          ...(reason ? { allowed: reason } : {}),
        }
      }
    },
  },
} satisfies Rules<HandoffDocument, HandoffFacts>

/** How to excuse what is no credential, as the end of a hint; nothing where no comment can stand. */
function excuse(path: Path, isAmidText: boolean): string {
  const mark = `<!-- ${ALLOW} why -->`
  if (path[0] !== 'frontmatter') return `; if it is none, write '${mark}' on the line before`
  // The frontmatter is YAML: there the comment would be read as a key, and amid a text as part of it.
  return isAmidText ? '' : `; if it is none, write '# ${mark}' on the line before`
}

/** The end of what stands above the first line of a text under `|` or `>`, behind which a comment may stand. */
const OPENS_BLOCK = /[ \t][|>][-+\d]{0,2}(?:[ \t]+#[^\r\n]*|[ \t]*)(?:\r\n|\n|\r)\s*$/

/** Tells of offsets in rising order whether they stand in a text of the frontmatter, below its first line. */
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

/** The lines of the frontmatter that have a line of the same text before them, in order. */
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

/** The reason in a comment at the end of a line that excuses what the next line holds. */
function allowance(line: string | undefined): string | undefined {
  const comment = line?.slice(line.lastIndexOf('<!--') + 4).trim()
  if (!comment?.endsWith('-->') || !line?.includes('<!--')) return undefined
  const words = comment.slice(0, -3).trim()
  return words.startsWith(ALLOW) ? words.slice(ALLOW.length).trim() : undefined
}

/** The body as a reader sees it, and by how much each stretch of it stands further behind in the source. */
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

/** The index of the section in which an offset lies; -1 before the first. */
function sectionAt({ sections }: Markdown, offset: number): number {
  let low = 0
  let high = sections.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sections[middle]?.heading.start ?? 0) <= offset) low = middle + 1
    else high = middle
  }
  return low - 1
}
