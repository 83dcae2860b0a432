import {
  CONTEXT,
  canonicalId,
  DECISIONS,
  type Ending,
  endingNote,
  handoffFileNameOf,
  ID_LETTER,
  originNote,
  type PlacedStatement,
  placeForRules,
  STANDING_RULES,
  type StatementKind,
  statementsOf,
} from '../../contracts/index.ts'
import type { InForce, StatedDocument, StatementInForce } from '../in-force.ts'
import { bodyOf, type HandoffContent, handoffText, withBody } from './handoff-text.ts'

/** What holds before a new document, and the documents that say so. */
interface Before extends InForce {
  readonly documents: readonly StatedDocument[]
}

/** What the author ends. */
export interface StatementAnswers {
  readonly supersede: readonly Ending[]
  /** The person who ends rules. */
  readonly by: string | undefined
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
  { supersede, by }: StatementAnswers,
): CarriedStatements {
  const named = withPerson(content, by)
  const ended = withEndings(named, supersede, by)
  const numbers = new Numbers(before, statementsOf(handoffText(ended)))
  const numbered = withNumbers(ended, before, numbers)
  const own = statementsOf(handoffText(numbered))
  const stated = new Set(own.flatMap(one => [canonicalId(one.id), one.key]))
  const over = new Set(own.flatMap(({ ends }) => ends.flatMap(e => (e.by ? [e.id] : []))))
  const rules = before.items.filter(
    rule =>
      rule.kind === 'rule' && !over.has(rule.id) && !stated.has(rule.id) && !stated.has(rule.key),
  )
  const lines = rules.map(rule => ruleEntry(rule, numbers))
  return {
    content: lines.length === 0 ? numbered : withRules(numbered, lines),
    rules,
    problems: problemsIn(own, before),
  }
}

/** Names the person in each ending that the author wrote without one. */
function withPerson(content: HandoffContent, by: string | undefined): HandoffContent {
  if (by === undefined) return content
  const person = by.replace(/[():\s]+/g, ' ').trim()
  const name = (body: string) =>
    body.replace(
      /(\(supersedes [RDF]-[^(),:\n]*(?:, ?[RDF]-[^(),:\n]*)*)(?=\)|:)/gi,
      `$1, by ${person}`,
    )
  return changeBodies(content, name)
}

/** Adds a decision for each statement that the author ends without replacing it. */
function withEndings(
  content: HandoffContent,
  supersede: readonly Ending[],
  by: string | undefined,
): HandoffContent {
  if (supersede.length === 0) return content
  const lines = supersede.map(
    ending => `- ${ending.id} no longer holds ${endingNote({ ...ending, ...(by && { by }) })}`,
  )
  const own = bodyOf(content.sections, DECISIONS)
  const body = own === '' || /^none[.]?$/i.test(own) ? lines.join('\n') : joined(own, lines)
  return { ...content, sections: withBody(content.sections, DECISIONS, body) }
}

/** Continues a list at the end of a text, or begins one. */
function joined(body: string, lines: readonly string[]): string {
  const last = body.slice(body.lastIndexOf('\n') + 1)
  const isList = /^\s*(?:[-+*]|[0-9]{1,9}[.)])[ \t]/.test(last) || /^[ \t]+\S/.test(last)
  return `${body}${isList ? '\n' : '\n\n'}${lines.join('\n')}`
}

/** Hands out the next free number of each kind. */
class Numbers {
  private readonly last = new Map<StatementKind, number>()

  constructor({ documents }: Before, own: readonly PlacedStatement[]) {
    const all = [...documents.flatMap(({ statements }) => statements), ...own]
    for (const { kind, id, numbered } of all) {
      const number = numbered && id.startsWith(ID_LETTER[kind]) ? Number(id.slice(2)) : 0
      // An id that is made from the text, written out, has letters.
      if (number > (this.last.get(kind) ?? 0)) this.last.set(kind, number)
    }
  }

  next(kind: StatementKind): string {
    const number = (this.last.get(kind) ?? 0) + 1
    this.last.set(kind, number)
    return `${ID_LETTER[kind]}-${String(number).padStart(3, '0')}`
  }
}

const LEAD = /^(?:\s*(?:[-+*]|[0-9]{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?|#{3,6}[ \t]+|[ \t]*)/

/** Gives an id to each rule and decision without one; words that are known get the id that they have. */
function withNumbers(
  content: HandoffContent,
  { items }: InForce,
  numbers: Numbers,
): HandoffContent {
  const known = new Map(items.filter(item => item.numbered).map(i => [i.key, i.id]))
  return changeBodies(content, (body, title) => {
    const heading = `## ${title}\n`
    const lines = body.split('\n')
    for (const { kind, key, line, numbered } of statementsOf(`${heading}${body}`)) {
      if (numbered || kind === 'fact') continue
      const id = known.get(key) ?? numbers.next(kind)
      lines[line - 2] = (lines[line - 2] ?? '').replace(LEAD, lead => `${lead}${id}: `)
    }
    return lines.join('\n')
  })
}

/** Changes the text of the sections with statements. */
function changeBodies(
  content: HandoffContent,
  change: (body: string, title: string) => string,
): HandoffContent {
  const sections = content.sections.map(section => {
    const { title, level, body } = section
    const isStated = level === 2 && (title === CONTEXT || title === DECISIONS)
    return isStated ? { ...section, body: change(body, title) } : section
  })
  return { ...content, sections }
}

/** A rule as a list item, with the document that it comes from. */
function ruleEntry({ kind, numbered, source, since }: StatementInForce, numbers: Numbers): string {
  const text = numbered ? source : `${numbers.next(kind)}: ${source}`
  const note = originNote(handoffFileNameOf(since.path))
  const [first = '', ...rest] = `${text}\n${note}`.split('\n')
  return [`- ${first}`, ...rest.map(line => (line === '' ? '' : `  ${line}`))].join('\n')
}

/** Writes rules below the heading of the standing rules, before the author's own. */
function withRules(content: HandoffContent, lines: readonly string[]): HandoffContent {
  const own = bodyOf(content.sections, CONTEXT)
  const heading = `## ${CONTEXT}\n`
  const at = placeForRules(`${heading}${own}`)
  const list = lines.join('\n')
  const head = at === undefined ? own : own.slice(0, at - heading.length).trimEnd()
  const rest = at === undefined ? '' : own.slice(at - heading.length).replace(/^\s*\n/, '')
  // A paragraph right below a list would continue its last item.
  const gap = /^(?:[-+*]|[0-9]{1,9}[.)])[ \t]/.test(rest) ? '\n' : '\n\n'
  const above = at === undefined ? `${head}\n\n### ${STANDING_RULES}` : head
  const body = `${above}\n\n${list}${rest === '' ? '' : `${gap}${rest}`}`.trim()
  return { ...content, sections: withBody(content.sections, CONTEXT, body) }
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
