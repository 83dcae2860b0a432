import type { EntryKeys, Statement } from '../../ledger/index.ts'
import { kindOf } from '../urn.ts'

/** Under what an erased entry is still found, and that it was once accepted, sent or imported. */
type Keyed = Pick<Statement, 'subject' | 'predicateType' | 'predicate'>

/**
 * By what a statement is found again; derived from the statement alone, so that the index can be made anew.
 *
 * Unique for the life of the log: that a handoff was sent, that it was accepted, that a record was imported, and that a
 * checkpoint of a forked log was refused.
 */
export function keysOfStatement({ subject, predicateType, predicate }: Keyed): EntryKeys {
  const kind = kindOf(predicateType)
  if (!kind) return { unique: [], also: [] }
  const { ids, agents, quarantined, agent, event } = predicate
  // In the order that canonical JSON has: the index that is made anew has to be the same to the byte.
  const named = Object.entries(fieldsOf(ids))
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([what, id]) => (typeof id === 'string' ? [[what, id] as const] : []))
  const also = new Set([
    `kind:${kind}`,
    ...named.map(([, id]) => `id:${id}`),
    ...subject.map(({ digest }) => `digest:${digest.sha256}`),
    ...textsOf(agents).map(id => `agent:${id}`),
    ...(kind === 'security-event' ? textsOf(quarantined).map(quarantineKey) : []),
    ...(kind === 'reconciliation' ? textsOf([agent]).map(quarantineKey) : []),
  ])
  const unique = named.flatMap(([what, id]) => {
    if (what === 'handoff' && kind === 'handoff-accepted') return [acceptedKey(id)]
    if (what === 'handoff' && kind === 'handoff-sent') return [sentKey(id)]
    return what === 'record' && kind === 'record' ? [recordKey(id)] : []
  })
  if (kind === 'security-event' && event === 'log-forked')
    unique.push(...subject.map(({ digest }) => forkKey(digest.sha256)))
  return { unique, also: [...also] }
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

/** Taken once a checkpoint of another log was refused: who shows it again and again is recorded once. */
function forkKey(checkpoint: string): string {
  return `forked:${checkpoint}`
}

/** Finds what put an agent into quarantine, and what let it out. */
export function quarantineKey(agent: string): string {
  return `quarantine:${agent}`
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter(one => typeof one === 'string') : []
}
