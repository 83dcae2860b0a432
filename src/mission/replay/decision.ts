import { parseInstant } from '../../document/index.ts'
import { canonicalJson } from '../../ledger/index.ts'
import type { MissionDecision } from '../../store/index.ts'
import type { Payload } from '../runner.ts'
import type { Evidence, FoundEntry } from './evidence.ts'
import { SKEW } from './tasks.ts'

/** What was decided on a proposal, as the database of its mission has it. */
export interface Decided extends Omit<MissionDecision, 'outcome'> {
  readonly mission: string
}

/** The entry that a decision names; nothing where the log has none such. */
export async function entryOf(
  { entry: digest }: Pick<Decided, 'entry'>,
  evidence: Evidence,
): Promise<FoundEntry | undefined> {
  if (digest === null) return undefined
  const found = await evidence.find(`digest:${digest}`)
  // The entry itself, not another that speaks of it.
  return found.find(
    ({ entry }) => entry.is === 'differs' || ('digest' in entry && entry.digest === digest),
  )
}

/** What of a decision its entry has otherwise, by the names that it has there; nothing of one that says nothing any more. */
export function differencesFrom(found: FoundEntry, decided: Decided): readonly string[] {
  const says = predicateOf(found)
  if (!says || found.entry.is !== 'entry') return []
  const { mission } = partAt(says, 'ids')
  const { kind, statement } = found.entry
  const isSubject =
    statement.subject.some(({ digest }) => digest.sha256 === decided.digest) &&
    String(mission).toLowerCase() === decided.mission
  return [
    ...(kind === 'writeback-decision' ? [] : ['kind']),
    ...(isSubject ? [] : ['subject']),
    ...inDecided(decided, says),
  ]
}

function* inDecided(decided: Decided, says: Payload): Iterable<string> {
  const { proposal, decision, decidedBy, standing, why, statement, decidedAt, expiresAt } = decided
  const { stated, proof, policy } = partAt(statement)
  const stored = { proposal, decision, by: decidedBy, standing, why, stated, proof, policy }
  for (const [member, value] of Object.entries(stored))
    if (!isSame(value, says[member])) yield member
  if (timeOf(expiresAt) !== timeOf(says.expires)) yield 'expires'
  const at = timeOf(statedIn(says.stated).at)
  if (at !== undefined && !(Math.abs(Date.parse(decidedAt) - at) <= SKEW)) yield 'at'
}

/** Whether a value is what the log has; neither may be there. */
export function isSame(stored: unknown, recorded: unknown): boolean {
  if (stored === undefined || recorded === undefined) return stored === recorded
  return canonicalJson(stored) === canonicalJson(recorded)
}

export function timeOf(value: unknown): number | undefined {
  return typeof value === 'string' ? parseInstant(value) : undefined
}

/** What somebody has stated; nothing where the words are none of ours. */
export function statedIn(stated: unknown): Payload {
  try {
    return partAt(JSON.parse(String(stated)))
  } catch {
    return {}
  }
}

/** What an entry says; nothing of one that was erased, or is not to be believed. */
export function predicateOf({ entry }: FoundEntry): Payload | undefined {
  return entry.is === 'entry' ? entry.statement.predicate : undefined
}

/** The object at a path; an empty one where there is none. */
export function partAt(value: unknown, ...path: readonly string[]): Payload {
  let found = value
  for (const key of path)
    found =
      typeof found === 'object' && found !== null && Object.hasOwn(found, key)
        ? (found as Payload)[key]
        : undefined
  return typeof found === 'object' && found !== null ? (found as Payload) : {}
}
