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

/** The digest names that an approval covers, and that a sent handoff was made from. */
export const APPROVED = { handoff: 'handoff', draft: 'draft-value' } as const

/** The names of the people whose latest decision on a handoff approves or rejects it. */
export interface Said {
  readonly approved: readonly string[]
  readonly rejected: readonly string[]
}

export const NOTHING_SAID: Said = { approved: [], rejected: [] }

/**
 * Reads from the log who approved or rejected a handoff.
 *
 * A bare name counts only where the configuration accepts names; an approval counts only while trust lists its key. A
 * decision covers exactly one document, by the digest of its canonical JSON.
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
    // A modified entry may have been a rejection.
    mustBeAsRecorded(entry, index)
    if (entry.is !== 'entry' || entry.kind !== 'approval' || !isAbout(entry, digests)) continue
    const said = entry.statement.predicate as unknown as Predicates['approval'] & { at: string }
    if (!counts(said, config)) continue
    // The latest decision of each person counts.
    standing.set(said.by, said.decision === 'approved')
  }
  const whose = (word: boolean) =>
    [...standing].flatMap(([by, says]) => (says === word ? [by] : []))
  return { approved: whose(true), rejected: whose(false) }
}

/** A rejection counts even after the person is no longer listed. */
function counts(
  { by, standing, decision, proof, at }: Predicates['approval'] & { readonly at: string },
  config: Config,
): boolean {
  if (standing !== 'proved') return config.people === 'claimed'
  const stated = { by, keyid: proof?.keyid ?? '', at: parseInstant(at) ?? Number.NEGATIVE_INFINITY }
  return decision !== 'approved' || listsPerson(config, stated)
}

/** The digests that approve a received handoff: its own, or that of the draft it was made from in this installation. */
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
  // The entry records the handoff before the audit trail is added.
  const recorded = digestValue({ ...handoff, governance })
  const digestOf = (name: string) =>
    sent.statement.subject.find(subject => subject.name === name)?.digest.sha256
  const draft = digestOf(APPROVED.draft)
  return recorded === digestOf(APPROVED.handoff) && draft !== undefined ? [own, draft] : [own]
}

/** The digest that approves a handoff before it is sent: its draft, which must contain the handoff id. */
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
