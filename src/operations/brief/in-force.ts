import { statementFrom } from '../../contracts/index.ts'
import { formatDuration, parseInstant } from '../../document/index.ts'
import type { LineageInForce, StatementInForce } from '../../session/index.ts'
import { conflictInWords, conflictOutput } from '../in-force/report.ts'
import type { App } from '../operation.ts'
import type { Part, QuotedSource } from './parts.ts'
import type { Role } from './roles.ts'
import { plainly } from './set.ts'

const ROLE = { rule: 'rules', decision: 'decisions', fact: 'facts' } as const satisfies Readonly<
  Record<StatementInForce['kind'], Role>
>

/** Adds the documents that statements come from to the sources, nearest first. */
export function withOrigins(
  sources: readonly QuotedSource[],
  { items, documents }: LineageInForce,
): QuotedSource[] {
  const wanted = new Set(items.map(({ since }) => since.path))
  const known = new Set(sources.map(({ path }) => path))
  const earlier = documents.filter(({ path }) => wanted.has(path) && !known.has(path))
  return [
    ...sources,
    ...earlier.toReversed().map(({ path, contract, sha256, timestamp, verifiedBy }) => ({
      path,
      contract,
      sha256,
      ...(timestamp !== undefined && { timestamp }),
      inherited: true,
      verifiedBy,
    })),
  ]
}

/** Adds the age of each source. */
export function withAge(source: QuotedSource, { now }: App): QuotedSource {
  const time = source.timestamp === undefined ? undefined : parseInstant(source.timestamp)
  return time === undefined ? source : { ...source, age: `${formatDuration(now - time)} ago` }
}

/** Returns what is in force as parts of a brief. */
export function statementParts(
  { items }: LineageInForce,
  sources: readonly QuotedSource[],
): Part[] {
  const groups = new Map<string, StatementInForce[]>()
  for (const item of items) {
    const key = [item.kind, item.since.path, item.heading].join('\0')
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  const indexes = new Map(sources.map(({ path }, i) => [path, i]))
  return [...groups.values()].flatMap(statements => {
    const [first] = statements
    const source = first && indexes.get(first.since.path)
    if (!first || source === undefined) return []
    const title = first.kind === 'fact' ? (first.heading ?? '') : ''
    // Each is given with an id, by which a successor can end it.
    const entries = statements.map(({ id, numbered, source }) =>
      listItem(numbered ? source : `${id}: ${source}`),
    )
    return [{ source, role: ROLE[first.kind], title, entries, statements }]
  })
}

const MARKER = /^\s*(?:[-+*]|[0-9]{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?/

/** Leaves out entries that no longer hold: a note may state them below a heading of another role. */
export function withoutEnded(parts: readonly Part[], { ended }: LineageInForce): Part[] {
  const gone = new Set(ended.map(({ statement }) => statement.key))
  const kinds = [...new Set(ended.map(({ statement }) => statement.kind))]
  const isGone = (entry: string) =>
    kinds.some(kind => gone.has(statementFrom(kind, entry.replace(MARKER, '')).key))
  return parts.map(part =>
    part.role === 'state' || part.role === 'rest'
      ? { ...part, entries: part.entries.filter(entry => !isGone(entry)) }
      : part,
  )
}

function listItem(markdown: string): string {
  return `- ${markdown
    .split('\n')
    .filter(row => row.trim() !== '')
    .join('\n  ')}`
}

/** Contradictions named in a brief; the others are in the JSON output. */
const SHOWN_CONFLICTS = 5

/** Returns lines about contradictions and unread documents. */
export function notesOn({ conflicts, elsewhere, unreadable }: LineageInForce): string[] {
  const shown = conflicts.slice(0, SHOWN_CONFLICTS).map(conflictOutput)
  const few = (paths: readonly string[]) =>
    [
      ...paths.slice(0, 2).map(plainly),
      ...(paths.length > 2 ? [`${paths.length - 2} more`] : []),
    ].join(', ')
  return [
    ...(unreadable.length > 0 ? [`Left out: ${few(unreadable)} cannot be read.`] : []),
    ...shown.map(conflict => `Contradiction: ${conflictInWords(conflict, plainly)}.`),
    ...(conflicts.length > shown.length
      ? [`Contradictions: ${conflicts.length - shown.length} more.`]
      : []),
    ...(elsewhere.length > 0 ? [`Fork: of ${few(elsewhere)} only the rules hold here.`] : []),
  ]
}
