import {
  CHECKLIST,
  CONTEXT,
  DECISIONS,
  EVIDENCE,
  type HandoffPart,
  type HouseHeadings,
  NEXT_STEPS,
  OPEN_LOOPS,
  partOf,
  STANDING_RULES,
  SUMMARY,
  USUAL_HEADINGS,
} from '../../contracts/index.ts'
import { type HandoffContent, type HandoffSection, withBody } from '../../session/index.ts'

/** List items and prose for the parts of a handoff. */
export type Parts = Partial<Readonly<Record<HandoffPart, readonly string[]>>>

/** The sections of a handoff document by part; rules stand in a sub-section of the context. */
const DOCUMENT: Readonly<Record<HandoffPart, string>> = {
  state: SUMMARY,
  next: NEXT_STEPS,
  open: OPEN_LOOPS,
  decisions: DECISIONS,
  rules: CONTEXT,
  context: CONTEXT,
  evidence: EVIDENCE,
  checklist: CHECKLIST,
}

const ORDER = [
  'state',
  'context',
  'rules',
  'decisions',
  'next',
  'open',
  'checklist',
  'evidence',
] as const

/** Adds parts to the sections of a handoff, each below what its section already says. */
export function withParts(
  content: HandoffContent,
  parts: Parts,
  kind: 'note' | 'document',
  headings?: HouseHeadings,
): HandoffContent {
  const titles = kind === 'note' ? USUAL_HEADINGS : DOCUMENT
  let { sections } = content
  for (const part of ORDER) {
    const entries = parts[part] ?? []
    if (entries.length === 0) continue
    const isPart = ({ title, level }: HandoffSection) =>
      kind === 'note' ? partOf(title, headings) === part : level === 2 && title === titles[part]
    const found = sections.find(isPart)
    const body = bodyWith(part, entries, found?.body ?? '', kind)
    sections = found
      ? sections.map(section => (section === found ? { ...section, body } : section))
      : withBody(sections, titles[part], body)
  }
  return { ...content, sections }
}

/** The text of a section with more entries. */
function bodyWith(
  part: HandoffPart,
  entries: readonly string[],
  own: string,
  kind: 'note' | 'document',
): string {
  const isNested = kind === 'document' && part === 'rules'
  const isHeaded = isNested && !own.includes(`### ${STANDING_RULES}`)
  const added = `${isHeaded ? `### ${STANDING_RULES}\n\n` : ''}${bodyFrom(part, entries, own)}`
  if (own === '') return added
  return `${own}${!isHeaded && endsInList(own) && part !== 'state' ? '\n' : '\n\n'}${added}`
}

function bodyFrom(part: HandoffPart, entries: readonly string[], own: string): string {
  if (part === 'state') return entries.join('\n\n')
  const first = part === 'next' ? 1 + (own.match(/^[0-9]+[.)] /gm)?.length ?? 0) : 1
  return entries
    .map((entry, i) => {
      const mark = part === 'next' ? `${first + i}.` : part === 'checklist' ? '- [ ]' : '-'
      const indent = ' '.repeat(mark.length + 1)
      return `${mark} ${entry.trim().replaceAll('\n', `\n${indent}`)}`
    })
    .join('\n')
}

function endsInList(text: string): boolean {
  return /^(?:[-+*]|[0-9]{1,9}[.)])[ \t]|^[ \t]+\S/.test(text.slice(text.lastIndexOf('\n') + 1))
}
