import type { LineageInForce } from '../../session/index.ts'
import { loadConfig } from '../../workspace/index.ts'
import type { LeftOutput } from '../in-force/output.ts'
import { cleansed, conflictOutput, openOutput, statementOutput } from '../in-force/report.ts'
import { openItemsAt } from '../note/items.ts'
import type { App } from '../operation.ts'
import { type Fitted, fitBrief, tokensOf } from './fit.ts'
import { notesOn, statementParts, withAge, withOrigins, withoutEnded } from './in-force.ts'
import type { BriefOutput } from './output.ts'
import { partsOf, type QuotedSource } from './parts.ts'
import { readAll } from './read.ts'
import type { Role } from './roles.ts'

/** Documents to brief from, and what is in force after the handoff among them. */
export interface Selection {
  readonly paths: readonly string[]
  readonly inForce?: LineageInForce
  /** The newest handoff among them, whose items the next one carries over. */
  readonly head?: string
}

/** Composes the brief of some documents; an error in one of them refuses it. */
export async function composeBrief(
  { paths, inForce: found, head }: Selection,
  budget: number,
  app: App,
): Promise<BriefOutput> {
  const files = await readAll(paths, app)
  const refused = files.flatMap(({ refused }) => refused)
  const none = { boundary: null, tokens: 0, budget, sources: [], cut: [], unread: 0 }
  const nothing = { inForce: [], open: [], left: [], conflicts: [], needs: null }
  if (refused.length > 0) return { brief: null, ...none, ...nothing, refused }
  const read = files.flatMap(({ documents }) => documents)
  const own = read.map(({ source }) => source)
  const inForce = found && { ...found, items: cleansed(found.items) }
  const sources = inForce ? withOrigins(own, inForce) : own
  const stated = new Set(inForce?.documents.map(({ path }) => path))
  const { headings } = await loadConfig(app.root)
  const parts = read.flatMap(({ view }, i) => {
    const all = partsOf(view, i, headings)
    if (!inForce || !stated.has(view.path)) return all
    // What it states is given as what is in force.
    const rest = all.filter(({ role }) => !STATED.includes(role))
    return withoutEnded(rest, inForce)
  })
  const statements = inForce ? statementParts(inForce, sources) : []
  const aged: QuotedSource[] = sources.map(source => withAge(source, app))
  const fitted = fitBrief([...statements, ...parts], aged, budget, inForce ? notesOn(inForce) : [])
  const { text = null, boundary = null, cut, needs = null } = fitted
  return {
    ...{ brief: text, boundary, tokens: text === null ? 0 : tokensOf(text), budget },
    ...{ sources, cut, unread: inForce?.unreadable.length ?? 0, refused, needs },
    inForce: inForce?.items.map(statementOutput) ?? [],
    open: head === undefined ? [] : openOutput(await openItemsAt(head, headings, app.root)),
    left: [...leftIn(fitted), ...(inForce?.unreadable.map(unreadable) ?? [])],
    conflicts: inForce?.conflicts.map(conflictOutput) ?? [],
  }
}

const STATED: readonly Role[] = ['rules', 'decisions', 'facts']

function leftIn({ left }: Fitted): LeftOutput[] {
  return left.flatMap(({ part: { statements = [] }, shortened, missing }) => {
    const leave = (indexes: readonly number[], why: LeftOutput['why']) =>
      indexes
        .flatMap(i => statements[i] ?? [])
        .map(({ kind, id, since: { path, line } }) => ({ kind, id, path, line, why }))
    return [...leave(shortened, 'shortened'), ...leave(missing, 'no room')]
  })
}

function unreadable(path: string): LeftOutput {
  return { kind: 'document', id: null, path, line: null, why: 'unreadable' }
}
