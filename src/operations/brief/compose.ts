import { counted } from '../../contract/index.ts'
import type { App } from '../operation.ts'
import { fitBrief, tokensOf } from './fit.ts'
import type { BriefOutput } from './output.ts'
import { type Part, partsOf } from './parts.ts'
import { readAll } from './read.ts'

/** Documents to brief from: the named paths, and their ancestors, nearest first. */
export interface Selection {
  readonly paths: readonly string[]
  readonly inherited: readonly string[]
  /** Number of older documents left out. */
  readonly unread: number
}

/** Composes the brief of some documents; errors in a named one refuse it, an inherited one with errors is left out. */
export async function composeBrief(
  { paths, inherited, unread }: Selection,
  budget: number,
  app: App,
): Promise<BriefOutput> {
  const own = await readAll(paths, false, app)
  const older = await readAll(inherited, true, app)
  const refused = [...own, ...older].flatMap(({ refused }) => refused)
  const none = { boundary: null, tokens: 0, budget, sources: [], cut: [], unread }
  if (own.some(file => file.refused.length > 0)) return { brief: null, ...none, refused }
  const read = [...own, ...older].flatMap(({ documents }) => documents)
  const sources = read.map(({ source }) => source)
  const parts: Part[] = read.flatMap(({ view }, i) => partsOf(view, i))
  const { text, boundary, cut } = fitBrief(parts, sources, budget, notesOn(unread, refused.length))
  return { brief: text, boundary, tokens: tokensOf(text), budget, sources, cut, unread, refused }
}

/** Returns the note about omitted documents. */
function notesOn(unread: number, refused: number): string[] {
  const older = (count: number) => counted(count, 'older document')
  const notes = [
    ...(unread > 0 ? [`${older(unread)}, not read`] : []),
    ...(refused > 0 ? [`${older(refused)} with errors`] : []),
  ]
  return notes.length > 0 ? [`Left out: ${notes.join('; ')}.`] : []
}
