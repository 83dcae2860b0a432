import type { Document, Documents, Fault, Locate, Reading, Span } from './document.ts'
import { readJson } from './json.ts'
import { type Fence, type Markdown, readMarkdown } from './markdown.ts'
import { countLineEnds } from './markdown-source.ts'
import { readYamlText } from './yaml-reading.ts'

/** A Markdown text as a value: its frontmatter and its sections. */
interface MarkdownValue {
  readonly frontmatter?: unknown
  readonly sections: readonly {
    readonly title: string
    readonly level: 1 | 2
    readonly body: string
  }[]
}

/** A Markdown text as one document, plus one for each JSON or YAML block in it. */
export async function readMarkdownDocuments(text: string, range: ToRange): Promise<Documents> {
  const markdown = readMarkdown(text)
  const wanted = markdown.fences.filter(fence => BLOCK_FORMATS.has(fence.info))
  const passedOver = ignoredFences(text, markdown, wanted)
  const documents: Document[] = [{ ...(await readWhole(text, markdown)), range }]
  for (const fence of wanted)
    if (!passedOver.has(fence)) documents.push(await readBlock(fence, range))
  return {
    documents,
    ignored: passedOver.size,
  }
}

type ToRange = Document['range']

const BLOCK_FORMATS: ReadonlyMap<string, 'json' | 'yaml'> = new Map([
  ['json', 'json'],
  ['yaml', 'yaml'],
  ['yml', 'yaml'],
])

async function readWhole(text: string, markdown: Markdown): Promise<Omit<Document, 'range'>> {
  const frontmatter = markdown.frontmatter && (await readYamlText(markdown.frontmatter.text, 1))
  const offset = markdown.frontmatter?.span.start ?? 0
  const value: MarkdownValue = {
    ...(frontmatter && { frontmatter: frontmatter.value }),
    sections: markdown.sections.map(({ title, level, content }) => ({
      title,
      level,
      body: text.slice(content.start, content.end),
    })),
  }
  return {
    format: 'markdown',
    text,
    value,
    markdown,
    faults: [
      ...outlineFaults(text, markdown),
      ...(frontmatter?.faults ?? []).map(f => shiftFault(f, offset)),
    ],
    locate: locateIn(markdown, frontmatter, offset),
    absent: ([key, ...rest]) =>
      key === 'frontmatter' && rest.length === 0 ? misplacedFrontmatter(text, markdown) : undefined,
  }
}

/** A line `---` after the first, followed by a line with a key. */
const LATE_OPENING = /(?<=[\r\n])---[ \t]*(?:\r\n|\n|\r)[A-Za-z_][\w-]*:/
const CLOSING = /(?<=[\r\n])---[ \t]*(?=[\r\n]|(?![\s\S]))/

/** A first line that is nearly `---`, followed by a line with a key: what word processors and other tools produce. */
const NEAR_OPENING = /^(?!---\s)([-–—]{1,8}|\+\+\+)[ \t]*(?:\r\n|\n|\r)[A-Za-z_][\w-]*[ \t]*[:=]/

/** A hint for text that looks like frontmatter but does not begin with `---` on line 1. */
function misplacedFrontmatter(text: string, { comments }: Markdown): string | undefined {
  const near = NEAR_OPENING.exec(text)?.[1]
  if (near !== undefined)
    return `frontmatter begins and ends with a line '---', not '${near}', and is YAML`
  const opening = LATE_OPENING.exec(text)
  if (!opening || !isTop(text, opening.index, comments)) return undefined
  if (!CLOSING.test(text.slice(opening.index + opening[0].length))) return undefined
  const line = countLineEnds(text.slice(0, opening.index)) + 1
  return `a possible frontmatter begins on line ${line}: move it to the top, so that its first '---' is line 1`
}

/** Whether only comments, blank lines and a title are above. */
function isTop(text: string, offset: number, comments: readonly Span[]): boolean {
  let above = ''
  let from = 0
  for (const { start, end } of comments) {
    if (start >= offset) break
    above += text.slice(from, start)
    from = end
  }
  return from <= offset && isTitleAtMost(above + text.slice(from, offset))
}

/** Blank lines and one title; after any other text, a line `---` is a rule or a heading underline. */
function isTitleAtMost(above: string): boolean {
  const lines = above.split(/\r\n|\n|\r/).map(line => line.trim())
  // The line `---` begins after the last line end.
  lines.pop()
  const at = lines.findIndex(line => line !== '')
  if (at < 0) return true
  if (lines.slice(at + 1).some(line => line !== '')) return false
  const title = lines[at] ?? ''
  return title.startsWith('#') || (/^[\p{L}\p{N}]/u.test(title) && at + 1 < lines.length)
}

function outlineFaults(text: string, markdown: Markdown): Fault[] {
  const faults: Fault[] = []
  if (markdown.frontmatterOpen) {
    faults.push({
      code: 'syntax/frontmatter-open',
      message: 'the frontmatter that begins here is never closed',
      hint: 'close it with a line of only ---',
      span: { start: 0, end: Math.min(3, text.length) },
    })
  }
  if (markdown.tooDeep) {
    faults.push({
      code: 'syntax/too-deep',
      message: 'quotes or lists are nested too deeply here',
      hint: 'write it with fewer levels',
      span: markdown.tooDeep,
    })
  }
  return faults
}

function locateIn(markdown: Markdown, frontmatter: Reading | undefined, offset: number): Locate {
  return (path, part) => {
    const [head, index, field] = path
    if (head === 'frontmatter' && frontmatter)
      return shift(frontmatter.locate(path.slice(1), part), offset)
    if (head === 'sections' && typeof index === 'number') {
      const section = markdown.sections[index]
      if (section) return field === 'body' ? section.content : section.heading
    }
    return head === 'sections' ? markdown.body : { start: 0, end: markdown.body.end }
  }
}

async function readBlock(fence: Fence, range: ToRange): Promise<Document> {
  const format = BLOCK_FORMATS.get(fence.info) ?? 'yaml'
  const reading =
    format === 'json'
      ? readJson(fence.text, fence.line)
      : await readYamlText(fence.text, fence.line)
  return {
    ...reading,
    format,
    text: fence.text,
    line: fence.line,
    range: span => {
      const start = fence.toSource(span.start)
      // The offset after a span may be in the next line, after its indentation.
      const end = span.end > span.start ? fence.toSource(span.end - 1) + 1 : start
      return range({ start, end })
    },
  }
}

/** `<!-- waybill-ignore -->` skips only the next block. */
function ignoredFences(text: string, markdown: Markdown, fences: readonly Fence[]): Set<Fence> {
  const ignored = new Set<Fence>()
  for (const comment of markdown.comments) {
    if (!/^<!--\s*waybill-ignore\s*-->$/.test(text.slice(comment.start, comment.end))) continue
    const next = fences.find(fence => fence.span.start >= comment.end)
    if (next) ignored.add(next)
  }
  return ignored
}

function shiftFault(fault: Fault, offset: number): Fault {
  return { ...fault, span: shift(fault.span, offset) }
}

function shift(span: Span, offset: number): Span {
  return { start: span.start + offset, end: span.end + offset }
}
