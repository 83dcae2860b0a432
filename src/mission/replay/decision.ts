import { parseInstant } from '../../document/index.ts'
import { canonicalJson } from '../../ledger/index.ts'
import type { MissionDecision } from '../../store/index.ts'
import type { Payload } from '../runner.ts'
import type { Evidence, FoundEntry } from './evidence.ts'
import { SKEW } from './tasks.ts'

/** A decision on a proposal, as stored in the database. */
export interface Decided extends Omit<MissionDecision, 'outcome'> {
  readonly mission: string
}

/** Returns the entry that a decision names; undefined when the log lacks it. */
export async function entryOf(
  { entry: digest }: Pick<Decided, 'entry'>,
  evidence: Evidence,
): Promise<FoundEntry | undefined> {
  if (digest === null) return undefined
  const found = await evidence.find(`digest:${digest}`)
  // The entry itself, not one that refers to it.
  return found.find(
    ({ entry }) => entry.is === 'differs' || ('digest' in entry && entry.digest === digest),
  )
}

/** The fields in which an entry differs from a decision; none for an erased or unreadable entry. */
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

/** Compares a stored value with a recorded one; both may be absent. */
export function isSame(stored: unknown, recorded: unknown): boolean {
  if (stored === undefined || recorded === undefined) return stored === recorded
  return canonicalJson(stored) === canonicalJson(recorded)
}

export function timeOf(value: unknown): number | undefined {
  return typeof value === 'string' ? parseInstant(value) : undefined
}

/** Parses a statement; empty when it is not valid JSON. */
export function statedIn(stated: unknown): Payload {
  try {
    return partAt(JSON.parse(String(stated)))
  } catch {
    return {}
  }
}

/** The predicate of an entry; undefined when it was erased or changed. */
export function predicateOf({ entry }: FoundEntry): Payload | undefined {
  return entry.is === 'entry' ? entry.statement.predicate : undefined
}

/** The object at a path; empty when there is none. */
export function partAt(value: unknown, ...path: readonly string[]): Payload {
  let found = value
  for (const key of path)
    found =
      typeof found === 'object' && found !== null && Object.hasOwn(found, key)
        ? (found as Payload)[key]
        : undefined
  return typeof found === 'object' && found !== null ? (found as Payload) : {}
}
