import type { Document, Span } from '../../document/index.ts'
import { pathIn } from '../handoff-evidence.ts'
import { type HandoffPlace, sectionsOfNote } from '../handoff-place.ts'
import { CHECKLIST } from './sections.ts'

/** One check of a handoff document's checklist. */
export interface ChecklistItem {
  /** Its one-based line in the document. */
  readonly line: number
  /** Its text on one line. */
  readonly text: string
  /** The shell command; absent if only a person can check. */
  readonly command?: string
}

/** Code blocks whose lines are commands; in other blocks only lines with a prompt are. */
const SHELLS = new Set(['sh', 'bash', 'zsh', 'shell', 'console', 'shell-session', 'terminal'])

const ITEM = /^[ \t]*(?:[-+*]|[0-9]{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?/
const LINE = /[^\r\n]*(?:\r\n|\n|\r|(?![\s\S]))/g

/**
 * The checks of the checklist of a handoff document or note, in text order.
 *
 * Commands are the first code span of an item, unless it names a file, and each line of a shell code block. A quote
 * after the command is its expected output.
 */
export function checklistOf(
  document: Document,
  place: HandoffPlace = {},
): readonly ChecklistItem[] {
  const { markdown } = document
  const sections =
    (markdown && sectionsOfNote(markdown, place))?.filter(({ part }) => part === 'checklist') ??
    (markdown?.sections ?? []).filter(({ level, title }) => level === 2 && title === CHECKLIST)
  return sections
    .flatMap(({ content }) => [...ofItems(document, content), ...ofFences(document, content)])
    .sort((a, b) => a.line - b.line)
}

function ofItems(document: Document, content: Span): ChecklistItem[] {
  const { text, markdown } = document
  const spans = markdown?.codeSpans(content) ?? []
  const items = itemsIn(document, content)
  let next = 0
  return items.map(({ start, end }) => {
    while ((spans[next]?.span.start ?? end) < start) next++
    const span = spans[next]
    const code = span && span.span.start < end ? withoutPrompt(span.text) : undefined
    const command = code !== undefined && isCommand(code) ? code : undefined
    return {
      line: document.range({ start, end }).start.line + 1,
      text: text.slice(start, end).replace(ITEM, '').replace(/\s+/g, ' ').trim(),
      ...(command !== undefined && { command }),
    }
  })
}

/** The range of each list item, and of each paragraph outside lists. */
function itemsIn({ text, markdown }: Document, content: Span): Span[] {
  const hidden = hiddenIn(markdown)
  const items: { start: number; end: number }[] = []
  let isOpen = false
  let next = 0
  for (const { 0: line, index } of text.slice(content.start, content.end).matchAll(LINE)) {
    // An indented line after a blank one still belongs to the item above.
    if (line.trim() === '') continue
    const start = content.start + index
    while ((hidden[next]?.end ?? start + 1) <= start) next++
    const isHidden = (hidden[next]?.start ?? start + line.length) <= start + leadOf(line)
    const begins = !isHidden && (!isOpen || ITEM.test(line) || isNewParagraph(text, start, line))
    isOpen = !isHidden
    const end = start + line.length
    const last = items.at(-1)
    if (begins) items.push({ start, end })
    else if (isOpen && last) last.end = end
  }
  return items
}

/** Code blocks and comments in text order. */
function hiddenIn(markdown: Document['markdown']): Span[] {
  const fences = markdown?.fences.map(({ span }) => span) ?? []
  return [...fences, ...(markdown?.comments ?? [])].sort((a, b) => a.start - b.start)
}

function leadOf(line: string): number {
  return line.length - line.trimStart().length
}

/** Text at the left margin after a blank line. */
function isNewParagraph(text: string, start: number, line: string): boolean {
  return (
    leadOf(line) === 0 &&
    /(?:\r\n|\n|\r)[ \t]*(?:\r\n|\n|\r)$/.test(text.slice(Math.max(0, start - 200), start))
  )
}

function ofFences(document: Document, content: Span): ChecklistItem[] {
  const fences = document.markdown?.fences ?? []
  return fences
    .filter(({ span }) => span.start >= content.start && span.end <= content.end)
    .flatMap(({ info, line, text }) => {
      const lines = joinContinued(text.split('\n'), line + 1)
      const prompted = lines.filter(({ text }) => /^\s*\$ /.test(text))
      const commands = prompted.length > 0 ? prompted : SHELLS.has(info) ? lines : []
      return commands.flatMap(({ line, text }) => {
        const command = withoutPrompt(text.trim())
        return command === '' || command.startsWith('#') ? [] : [{ line, text: command, command }]
      })
    })
}

/** Joins lines that end in a backslash with the next one. */
function joinContinued(lines: readonly string[], first: number): { line: number; text: string }[] {
  const joined: { line: number; text: string }[] = []
  let goesOn = false
  lines.forEach((text, i) => {
    const part = text.endsWith('\\') ? text.slice(0, -1) : text
    const last = joined.at(-1)
    if (goesOn && last) last.text += part
    else joined.push({ line: first + i, text: part })
    goesOn = text.endsWith('\\')
  })
  return joined
}

function withoutPrompt(code: string): string {
  return code.startsWith('$ ') ? code.slice(2).trim() : code.trim()
}

/** Whether a single word is a file path rather than a command such as `./run`. */
function isCommand(code: string): boolean {
  return code !== '' && (code.startsWith('./') || pathIn(code) === undefined)
}
