import type { EntryKeys, Statement } from '../../ledger/index.ts'
import { type EntryKind, kindOf } from '../urn.ts'
import type { LogEvent } from './predicates.ts'

type Keyed = Pick<Statement, 'subject' | 'predicateType' | 'predicate'>

/** The members of a predicate that index keys are derived from. */
export const KEYED_MEMBERS = ['ids', 'agents', 'quarantined', 'agent', 'event'] as const

/**
 * Returns the index keys of a statement, derived from it alone so that the index can be rebuilt.
 *
 * Unique for the life of the log: a handoff sent or accepted, a record imported, a checkpoint of another log refused,
 * and the decision on a write-back and its outcome.
 */
export function keysOfStatement({ subject, predicateType, predicate }: Keyed): EntryKeys {
  const kind = kindOf(predicateType)
  if (!kind) return { unique: [], also: [] }
  const { ids, agents, quarantined, agent, event } = predicate
  const unique: string[] = []
  const also = new Set([kindKey(kind)])
  // In the order of canonical JSON: a rebuilt index must be identical to the byte.
  for (const [what, id] of namedIn(ids)) {
    also.add(`id:${id}`)
    const key = uniqueKey(kind, what, id)
    if (key !== undefined) unique.push(key)
  }
  for (const { digest } of subject) also.add(`digest:${digest.sha256}`)
  for (const id of textsOf(agents)) also.add(agentKey(id))
  if (kind === 'security-event') for (const id of textsOf(quarantined)) also.add(quarantineKey(id))
  if (kind === 'reconciliation' && typeof agent === 'string') also.add(quarantineKey(agent))
  const refused = kind === 'security-event' ? REFUSED.get(event) : undefined
  if (refused !== undefined)
    for (const { digest } of subject) unique.push(`${refused}:${digest.sha256}`)
  return { unique, also: [...also] }
}

function uniqueKey(kind: EntryKind, what: string, id: string): string | undefined {
  if (what === 'handoff' && kind === 'handoff-accepted') return acceptedKey(id)
  if (what === 'handoff' && kind === 'handoff-sent') return sentKey(id)
  if (what === 'decision' && kind === 'writeback-decision') return `decided:${id}`
  if (what === 'decision' && kind === 'writeback-outcome') return `written-back:${id}`
  return what === 'record' && kind === 'record' ? recordKey(id) : undefined
}

/** Returns the ids that are strings or lists of strings, each with its kind, in order. */
function namedIn(ids: unknown): [string, string][] {
  if (typeof ids !== 'object' || ids === null) return []
  const members = Object.entries(ids)
  if (members.length > 1) members.sort(([one], [other]) => (one < other ? -1 : 1))
  const named: [string, string][] = []
  for (const [what, id] of members) {
    if (typeof id === 'string') named.push([what, id])
    else for (const one of textsOf(id)) named.push([what, one])
  }
  return named
}

/** The unique key of an accepted handoff. */
export function acceptedKey(handoff: string): string {
  return `accepted:${handoff}`
}

/** The unique key of a sent handoff. */
export function sentKey(handoff: string): string {
  return `sent:${handoff}`
}

/** The unique key of an imported record. */
function recordKey(digest: string): string {
  return `record:${digest}`
}

/**
 * Prefixes of the unique keys of refused checkpoints, which are recorded once however often they are shown. Two
 * prefixes, because anyone can show a checkpoint without a proof, and that must not block the record of a proved fork.
 */
const REFUSED: ReadonlyMap<unknown, string> = new Map<LogEvent, string>([
  ['log-forked', 'forked'],
  ['log-unproved', 'unproved'],
])

/** The key of entries about an agent. */
export function agentKey(agent: string): string {
  return `agent:${agent}`
}

/** The key of entries of a kind. */
export function kindKey(kind: EntryKind): string {
  return `kind:${kind}`
}

/** The key of entries that put an agent into quarantine or released it. */
export function quarantineKey(agent: string): string {
  return `quarantine:${agent}`
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter(one => typeof one === 'string') : []
}
