import {
  CONTEXT,
  canonicalId,
  DECISIONS,
  type Ending,
  endingNote,
  type HandoffPart,
  type HouseHeadings,
  handoffFileNameOf,
  ID_LETTER,
  NOTE,
  originNote,
  type PlacedStatement,
  partOf,
  placeForRules,
  STANDING_RULES,
  type StatementKind,
  statementsInPart,
  statementsOf,
  USUAL_HEADINGS,
} from '../../contracts/index.ts'
import type { InForce, StatedDocument, StatementInForce } from '../in-force.ts'
import { type HandoffContent, type HandoffSection, handoffText, withBody } from './handoff-text.ts'

/** What holds before a new document, and the documents that say so. */
interface Before extends InForce {
  readonly documents: readonly StatedDocument[]
}

/** What the author ends. */
export interface StatementAnswers {
  readonly supersede: readonly Ending[]
  /** The person who ends rules. */
  readonly by: string | undefined
  /** The repository's own headings. */
  readonly headings?: HouseHeadings | undefined
}

/** A document that carries what is in force, and what keeps it from being written. */
export interface CarriedStatements {
  readonly content: HandoffContent
  /** The rules that were carried over. */
  readonly rules: readonly StatementInForce[]
  readonly problems: readonly { readonly id: string; readonly what: string }[]
}

/**
 * Carries the rules in force into a new document, numbers its rules and decisions, and writes what the author ends.
 *
 * Rules are copied verbatim, each with the document that it comes from. Decisions and facts are not copied: they hold
 * through the lineage.
 */
export function carryStatements(
  content: HandoffContent,
  before: Before,
  { supersede, by, headings }: StatementAnswers,
): CarriedStatements {
  const form = formOf(content, headings)
  const statementsIn = (one: HandoffContent) => statementsOf(handoffText(one), { headings })
  const named = withPerson(content, by, form)
  const ended = withEndings(named, supersede, by, form)
  const numbers = new Numbers(before, statementsIn(ended))
  const numbered = withNumbers(ended, before, numbers, form)
  const own = statementsIn(numbered)
  const stated = new Set(own.flatMap(one => [canonicalId(one.id), one.key]))
  const over = new Set(own.flatMap(({ ends }) => ends.flatMap(e => (e.by ? [e.id] : []))))
  const rules = before.items.filter(
    rule =>
      rule.kind === 'rule' && !over.has(rule.id) && !stated.has(rule.id) && !stated.has(rule.key),
  )
  const lines = rules.map(rule => ruleEntry(rule, numbers))
  return {
    content: lines.length === 0 ? numbered : withRules(numbered, lines, form),
    rules,
    problems: problemsIn(own, before),
  }
}

/** Where a handoff document or a note has its statements. */
interface Form {
  partOf(section: HandoffSection): HandoffPart | undefined
  /** The titles of the sections that are added where there is none. */
  readonly titles: Readonly<Record<'decisions' | 'rules', string>>
}

function formOf({ frontmatter }: HandoffContent, headings: HouseHeadings | undefined): Form {
  if (frontmatter.contract === NOTE) {
    const titles = { decisions: USUAL_HEADINGS.decisions, rules: USUAL_HEADINGS.rules }
    return { titles, partOf: ({ title }) => partOf(title, headings) }
  }
  const parts: Readonly<Record<string, HandoffPart>> = {
    [CONTEXT]: 'context',
    [DECISIONS]: 'decisions',
  }
  return {
    titles: { decisions: DECISIONS, rules: CONTEXT },
    partOf: ({ level, title }) => (level === 2 ? parts[title] : undefined),
  }
}

/** Names the person in each ending that the author wrote without one. */
function withPerson(content: HandoffContent, by: string | undefined, form: Form): HandoffContent {
  if (by === undefined) return content
  const person = by.replace(/[():\s]+/g, ' ').trim()
  const name = (body: string) =>
    body.replace(
      /(\(supersedes\s+[RDF]-[^(),:\n]*(?:,\s*[RDF]-[^(),:\n]*)*)(?=\)|:)/gi,
      ending => `${ending}, by ${person}`,
    )
  return changeBodies(content, form, name)
}

/** Adds a decision for each statement that the author ends without replacing it. */
function withEndings(
  content: HandoffContent,
  supersede: readonly Ending[],
  by: string | undefined,
  form: Form,
): HandoffContent {
  if (supersede.length === 0) return content
  const lines = supersede.map(
    ending => `- ${ending.id} no longer holds ${endingNote({ ...ending, ...(by && { by }) })}`,
  )
  const found = content.sections.find(section => form.partOf(section) === 'decisions')
  const { title, body: own } = found ?? { title: form.titles.decisions, body: '' }
  const body = own === '' || /^none[.]?$/i.test(own) ? lines.join('\n') : joined(own, lines)
  return withSection(content, found, title, body)
}

/** Continues a list at the end of a text, or begins one. */
function joined(body: string, lines: readonly string[]): string {
  const last = body.slice(body.lastIndexOf('\n') + 1)
  const isList = /^\s*(?:[-+*]|[0-9]{1,9}[.)])[ \t]/.test(last) || /^[ \t]+\S/.test(last)
  return `${body}${isList ? '\n' : '\n\n'}${lines.join('\n')}`
}

/** Ids have at most six digits, so higher numbers are not counted on from. */
const MOST_COUNTED = 99_999

/** Hands out the next free number of each kind. */
class Numbers {
  private readonly last = new Map<StatementKind, number>()

  constructor({ documents }: Before, own: readonly PlacedStatement[]) {
    const all = [...documents.flatMap(({ statements }) => statements), ...own]
    for (const { kind, id, numbered } of all) {
      const number = numbered && id.startsWith(ID_LETTER[kind]) ? Number(id.slice(2)) : 0
      // An id that is made from the text, written out, has letters; none may follow the last one.
      if (number <= MOST_COUNTED && number > (this.last.get(kind) ?? 0)) this.last.set(kind, number)
    }
  }

  next(kind: StatementKind): string {
    const number = (this.last.get(kind) ?? 0) + 1
    this.last.set(kind, number)
    return `${ID_LETTER[kind]}-${String(number).padStart(3, '0')}`
  }
}

const LEAD = /^(?:\s*(?:[-+*]|[0-9]{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?|#{3,6}[ \t]+|[ \t]*)/

/** An id before a fence, a quote, a table or HTML would make text of it. */
const BLOCK = /^(?:```|~~~|[>|<])/

/** Gives an id to each rule and decision without one; words that are known get the id that they have. */
function withNumbers(
  content: HandoffContent,
  { items }: InForce,
  numbers: Numbers,
  form: Form,
): HandoffContent {
  const known = new Map(items.filter(item => item.numbered).map(i => [i.key, i.id]))
  return changeBodies(content, form, (body, part) => {
    const lines = body.split('\n')
    for (const { kind, key, line, numbered, source } of statementsInPart(body, part)) {
      if (numbered || kind === 'fact' || BLOCK.test(source)) continue
      const id = known.get(key) ?? numbers.next(kind)
      lines[line - 1] = (lines[line - 1] ?? '').replace(LEAD, lead => `${lead}${id}: `)
    }
    return lines.join('\n')
  })
}

/** Changes the text of the sections with statements. */
function changeBodies(
  content: HandoffContent,
  form: Form,
  change: (body: string, part: HandoffPart) => string,
): HandoffContent {
  const sections = content.sections.map(section => {
    const part = form.partOf(section)
    return part === undefined ? section : { ...section, body: change(section.body, part) }
  })
  return { ...content, sections }
}

/** Replaces the text of a section, or adds one. */
function withSection(
  { sections, ...content }: HandoffContent,
  found: HandoffSection | undefined,
  title: string,
  body: string,
): HandoffContent {
  if (!found) return { ...content, sections: withBody(sections, title, body) }
  return { ...content, sections: sections.map(one => (one === found ? { ...one, body } : one)) }
}

/** A rule as a list item, with the document that it comes from. */
function ruleEntry({ kind, numbered, source, since }: StatementInForce, numbers: Numbers): string {
  const text = numbered || BLOCK.test(source) ? source : `${numbers.next(kind)}: ${source}`
  const note = originNote(handoffFileNameOf(since.path))
  const [first = '', ...rest] = `${text}\n${note}`.split('\n')
  return [`- ${first}`, ...rest.map(line => (line === '' ? '' : `  ${line}`))].join('\n')
}

/** Writes rules below the heading of the standing rules, before the author's own. */
function withRules(content: HandoffContent, lines: readonly string[], form: Form): HandoffContent {
  const places = content.sections.flatMap(section => {
    const part = form.partOf(section)
    const at =
      part === 'rules' || part === 'context' ? placeForRules(section.body, part) : undefined
    return at === undefined ? [] : [{ section, at }]
  })
  const [place] = places
  const list = lines.join('\n')
  if (place) {
    const { section, at } = place
    const [head, rest] = [section.body.slice(0, at).trimEnd(), section.body.slice(at)]
    return withSection(content, section, section.title, below(head, list, rest))
  }
  const title = form.titles.rules
  if (title !== CONTEXT) return withSection(content, undefined, title, list)
  const found = content.sections.find(section => form.partOf(section) === 'context')
  const head = `${found?.body ?? ''}\n\n### ${STANDING_RULES}`.trim()
  return withSection(content, found, title, below(head, list, ''))
}

function below(head: string, list: string, after: string): string {
  const rest = after.replace(/^\s*\n/, '')
  // A paragraph right below a list would continue its last item.
  const gap = /^(?:[-+*]|[0-9]{1,9}[.)])[ \t]/.test(rest) ? '\n' : '\n\n'
  return [...(head === '' ? [] : [`${head}\n\n`]), list, ...(rest === '' ? [] : [gap, rest])].join(
    '',
  )
}

/** Endings without effect: of what is not in force, and of a rule by no person. */
function problemsIn(
  own: readonly PlacedStatement[],
  { items, ended }: InForce,
): CarriedStatements['problems'] {
  const standing = new Map(items.map(item => [item.id, item]))
  const gone = new Set(ended.map(({ statement }) => statement.id))
  const written = new Set(own.map(({ id }) => canonicalId(id)))
  return own.flatMap(({ ends }) =>
    ends.flatMap(({ id, by }) => {
      const item = standing.get(id)
      if (!item && !gone.has(id) && !written.has(id))
        return [{ id, what: `Nothing in force has this id; waybill brief lists what is in force.` }]
      if (item?.kind === 'rule' && by === undefined)
        return [{ id, what: 'Name the person who ends this rule, with --by <name>.' }]
      return []
    }),
  )
}
