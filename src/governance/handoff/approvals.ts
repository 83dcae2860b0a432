import type { AgentHandoff } from '../../contracts/index.ts'
import { parseInstant } from '../../document/index.ts'
import type { LogReader } from '../../ledger/index.ts'
import type { Config } from '../../workspace/index.ts'
import { digestValue } from '../digest.ts'
import { mustBeAsRecorded } from '../entries/as-recorded.ts'
import type { ReadEntry } from '../entries/entry.ts'
import { sentKey } from '../entries/keys.ts'
import { entryAt } from '../entries/lookup.ts'
import type { Predicates } from '../entries/predicates.ts'
import { listsPerson } from '../trust/trust.ts'

/** What an approval is about, by its digest, and what a sent handoff was made from. */
export const APPROVED = { handoff: 'handoff', draft: 'draft-value' } as const

/** Whose last word about a handoff is a yes, and whose a no, by name. */
export interface Said {
  readonly approved: readonly string[]
  readonly rejected: readonly string[]
}

/** What was said of a handoff about which nobody has said anything. */
export const NOTHING_SAID: Said = { approved: [], rejected: [] }

/**
 * Who has approved or rejected a handoff, as the log says; a mere name counts only where the configuration takes names, and
 * a yes only while it lists the key.
 *
 * What a person says is of exactly one document, by the digest of its canonical JSON: of a changed one nothing is said.
 */
export async function saidOf(
  log: LogReader,
  digests: readonly string[],
  config: Config,
): Promise<Said> {
  const found = await Promise.all(digests.map(digest => log.find(`digest:${digest}`)))
  const indices = [...new Set(found.flat())].sort((a, b) => a - b)
  const standing = new Map<string, boolean>()
  for (const index of indices) {
    const entry = await entryAt(log, index)
    // What was changed may have been a no.
    mustBeAsRecorded(entry, index)
    if (entry.is !== 'entry' || entry.kind !== 'approval' || !isAbout(entry, digests)) continue
    const said = entry.statement.predicate as unknown as Predicates['approval'] & { at: string }
    if (!counts(said, config)) continue
    // The last word of a person counts.
    standing.set(said.by, said.decision === 'approved')
  }
  const whose = (word: boolean) =>
    [...standing].flatMap(([by, says]) => (says === word ? [by] : []))
  return { approved: whose(true), rejected: whose(false) }
}

/** A no of somebody who is listed no more is heard all the same. */
function counts(
  { by, standing, decision, proof, at }: Predicates['approval'] & { readonly at: string },
  config: Config,
): boolean {
  if (standing !== 'proved') return config.people === 'claimed'
  const stated = { by, keyid: proof?.keyid ?? '', at: parseInstant(at) ?? Number.NEGATIVE_INFINITY }
  return decision !== 'approved' || listsPerson(config, stated)
}

/** By what a received handoff may have been approved: itself, or the draft that it was made from in this installation. */
export async function approvableOf(
  log: LogReader,
  handoff: AgentHandoff,
): Promise<readonly string[]> {
  const own = digestValue(handoff)
  if (typeof own !== 'string') return []
  const [index] = await log.find(sentKey(handoff.handoff_id))
  const sent = index === undefined ? undefined : await entryAt(log, index)
  if (sent?.is !== 'entry' || sent.kind !== 'handoff-sent') return [own]
  const { audit_trail: _, ...governance } = handoff.governance
  // The entry is of the handoff without the name of the entry.
  const recorded = digestValue({ ...handoff, governance })
  const digestOf = (name: string) =>
    sent.statement.subject.find(subject => subject.name === name)?.digest.sha256
  const draft = digestOf(APPROVED.draft)
  return recorded === digestOf(APPROVED.handoff) && draft !== undefined ? [own, draft] : [own]
}

/** By what a handoff may have been approved before it was sent: its draft, which has to say which handoff it is. */
export function approvableDraft(draft: unknown): readonly string[] {
  const digest = hasId(draft) ? digestValue(draft) : undefined
  return typeof digest === 'string' ? [digest] : []
}

function hasId(draft: unknown): boolean {
  return typeof draft === 'object' && draft !== null && Object.hasOwn(draft, 'handoff_id')
}

type Entry = Extract<ReadEntry, { is: 'entry' }>

function isAbout({ statement }: Entry, digests: readonly string[]): boolean {
  return statement.subject.some(
    ({ name, digest }) => name === APPROVED.handoff && digests.includes(digest.sha256),
  )
}
