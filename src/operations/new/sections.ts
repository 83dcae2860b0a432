import { type Files, quote } from '../../contract/index.ts'
import {
  EVIDENCE,
  findContract,
  loadContract,
  NEXT_STEPS,
  NOTE,
  OPEN_LOOPS,
  REQUIRED_PARTS,
  REQUIRED_SECTIONS,
  sectionsOfNote,
  USUAL_HEADINGS,
} from '../../contracts/index.ts'
import { type Markdown, readDocuments } from '../../document/index.ts'
import { type HandoffContent, handoffText, withBody } from '../../session/index.ts'
import type { App } from '../operation.ts'
import { askForList } from './asking.ts'
import type { MissingField } from './output.ts'

type Ask = NonNullable<App['ask']>

/** Sections that are lists; the others are prose. */
const LISTS = [
  ...[NEXT_STEPS, OPEN_LOOPS, 'Decisions Made', 'Verification Checklist', EVIDENCE],
  ...[USUAL_HEADINGS.next, USUAL_HEADINGS.decisions],
]

/** Returns the required sections that are missing or empty. */
export async function emptySections(content: HandoffContent): Promise<typeof REQUIRED_SECTIONS> {
  const { documents } = await readDocuments(handoffText(content), 'markdown')
  const markdown = documents[0]?.markdown
  if (isNoteContent(content)) return markdown ? emptyParts(markdown) : []
  return REQUIRED_SECTIONS.filter(({ title }) => {
    const found = markdown?.sections.filter(s => s.level === 2 && s.title === title) ?? []
    return found.every(section => markdown?.isBlank(section.content))
  })
}

/** Returns whether a content is that of a note. */
export function isNoteContent({ frontmatter }: HandoffContent): boolean {
  return frontmatter.contract === NOTE
}

function emptyParts(markdown: Markdown): typeof REQUIRED_SECTIONS {
  const filled = (sectionsOfNote(markdown, {}) ?? []).filter(s => !markdown.isBlank(s.content))
  return REQUIRED_PARTS.filter(({ parts }) => !filled.some(({ part }) => parts.includes(part)))
}

/** How the sections of a handoff are asked for. */
export interface SectionAsking {
  readonly ask: Ask
  readonly files: Files
  /** Returns what is wrong in a section, in words. */
  faults(content: HandoffContent, title: string): Promise<readonly string[]>
  /** Called with each answer. */
  keep(title: string, body: string): void
  /** Answers that were typed before. */
  readonly earlier: Readonly<Record<string, string>>
}

/** How often a section is asked for when its answer has faults. */
const MOST_TRIES = 3

/** Asks for the text of every empty required section; a faulty answer is asked for again, and Enter keeps it. */
export async function askForSections(
  content: HandoffContent,
  asking: SectionAsking,
): Promise<HandoffContent> {
  let { sections } = content
  for (const { title, purpose } of await emptySections(content)) {
    // Open items of the predecessor may fill these two.
    let body = asking.earlier[title] ?? (await askForSection(title, purpose, asking))
    for (let tries = 1; body !== '' && tries < MOST_TRIES; tries++) {
      const faults = await asking.faults(
        { ...content, sections: withBody(sections, title, body) },
        title,
      )
      if (faults.length === 0) break
      const again = await askForSection(
        title,
        `${faults.join('; ')}; again, or Enter keeps it`,
        asking,
      )
      if (again === '') break
      body = again
    }
    if (body === '') continue
    asking.keep(title, body)
    sections = withBody(sections, title, body)
  }
  return { ...content, sections }
}

async function askForSection(
  title: string,
  what: string,
  { ask, files }: SectionAsking,
): Promise<string> {
  const question = `${title}: ${what}`
  if (!LISTS.includes(title)) return ask(`${question}\n> `)
  return listFrom(title, await askForList(question, ask), files)
}

function listFrom(title: string, entries: readonly string[], files: Files): string {
  return entries
    .map((entry, i) => {
      if (title === NEXT_STEPS || title === USUAL_HEADINGS.next) return `${i + 1}. ${entry}`
      return `- ${title === EVIDENCE ? withCode(entry, files) : entry}`
    })
    .join('\n')
}

/** Puts an existing path in a code span so that it is checked as evidence. */
function withCode(entry: string, files: Files): string {
  const [, path = '', rest = ''] = /^([^\s:`]+)([\s\S]*)$/.exec(entry) ?? []
  return path && files.kindOf(path) === 'file' ? `\`${path}\`${rest}` : entry
}

/**
 * Returns what a handoff document lacks; a draft gets a TODO in every empty required section and field, which no check
 * accepts.
 */
export async function withMissingSections(
  content: HandoffContent,
  draft: boolean,
): Promise<{ content: HandoffContent; missing: MissingField[] }> {
  const empty = await emptySections(content)
  const fields = await missingFields(content)
  const missing = [
    ...fields,
    ...empty.map(({ title, purpose }) => ({ field: title, what: `Say ${purpose}.` })),
  ]
  if (!draft) return { content, missing }
  const marks = fields.map(({ field }) => [field, 'TODO'] as const)
  return {
    content: {
      ...content,
      frontmatter: { ...content.frontmatter, ...Object.fromEntries(marks) },
      sections: empty.reduce(
        (sections, { title, purpose }) => withBody(sections, title, `TODO: ${purpose}.`),
        content.sections,
      ),
    },
    missing,
  }
}

async function missingFields(content: HandoffContent): Promise<MissingField[]> {
  if (isNoteContent(content)) return []
  const { frontmatter } = content
  const contract = findContract('handoff-document')
  if (!contract) throw new Error(`${quote('handoff-document')} is not in the catalogue`)
  const { required = [], properties = {} } =
    (await loadContract(contract)).schema.properties?.frontmatter ?? {}
  return required
    .filter(key => frontmatter[key] === undefined || frontmatter[key] === null)
    .map(field => {
      const { description = '', examples = [] } = properties[field] ?? {}
      return {
        field,
        what: description,
        ...(typeof examples[0] === 'string' && { example: examples[0] }),
      }
    })
}
