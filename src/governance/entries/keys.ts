import type { EntryKeys, Statement } from '../../ledger/index.ts'
import { type EntryKind, kindOf } from '../urn.ts'
import type { LogEvent } from './predicates.ts'

/** Under what an erased entry is still found, and that it was once accepted, sent or imported. */
type Keyed = Pick<Statement, 'subject' | 'predicateType' | 'predicate'>

/** The members of a predicate that keys are made of. */
export const KEYED_MEMBERS = ['ids', 'agents', 'quarantined', 'agent', 'event'] as const

/**
 * By what a statement is found again; derived from the statement alone, so that the index can be made anew.
 *
 * Unique for the life of the log: that a handoff was sent, that it was accepted, that a record was imported, that a
 * checkpoint of another log was refused, what was decided on a proposed write-back, and what came of it.
 */
export function keysOfStatement({ subject, predicateType, predicate }: Keyed): EntryKeys {
  const kind = kindOf(predicateType)
  if (!kind) return { unique: [], also: [] }
  const { ids, agents, quarantined, agent, event } = predicate
  const unique: string[] = []
  const also = new Set([kindKey(kind)])
  // In the order that canonical JSON has: the index that is made anew has to be the same to the byte.
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

/** The ids that are texts, or lists of such, each with what it is the id of, in order. */
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

/** Taken once a handoff was accepted. */
export function acceptedKey(handoff: string): string {
  return `accepted:${handoff}`
}

/** Taken once a handoff was sent. */
export function sentKey(handoff: string): string {
  return `sent:${handoff}`
}

/** Taken once a record from before the ledger was taken in. */
function recordKey(digest: string): string {
  return `record:${digest}`
}

/**
 * Taken once a checkpoint of another log was refused: who shows it again and again is recorded once. Anybody can show one
 * without a proof, which must not keep out what proves a fork.
 */
const REFUSED: ReadonlyMap<unknown, string> = new Map<LogEvent, string>([
  ['log-forked', 'forked'],
  ['log-unproved', 'unproved'],
])

/** Finds the entries about an agent. */
export function agentKey(agent: string): string {
  return `agent:${agent}`
}

/** Finds the entries of a kind. */
export function kindKey(kind: EntryKind): string {
  return `kind:${kind}`
}

/** Finds what put an agent into quarantine, and what let it out. */
export function quarantineKey(agent: string): string {
  return `quarantine:${agent}`
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter(one => typeof one === 'string') : []
}
