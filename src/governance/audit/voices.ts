import { readStretch } from '../../ledger/index.ts'
import { readEntry } from '../entries/entry.ts'
import type { AuditHelp } from './pool.ts'
import type { Faults } from './report.ts'
import {
  BY_SENDERS,
  type Listeners,
  type Says,
  type Unproved,
  whyUnsent,
  whyUnstated,
} from './said.ts'

/** How many entries hold a verified signature by a person or a sender. */
export interface Voices {
  readonly people: number
  readonly senders: number
}

/** Entries per file, which are read together. */
const TOGETHER = 256

/** Verifies the signatures of people and senders in some entries. */
export async function auditVoices(
  { folder, size }: { readonly folder: string; readonly size: number },
  wanted: readonly number[],
  listeners: Listeners,
  faults: Faults,
  { signal, progress }: AuditHelp & { progress?(done: number, total: number): void },
): Promise<Voices> {
  const groups = new Map<number, number[]>()
  for (const index of wanted) {
    const group = Math.floor(index / TOGETHER)
    groups.set(group, [...(groups.get(group) ?? []), index])
  }
  const count = { people: 0, senders: 0 }
  const stated = new Map<unknown, number>()
  let done = 0
  for (const group of groups.values()) {
    const found: Promise<void>[] = []
    const [from = 0, to = 0] = [group[0], (group.at(-1) ?? 0) + 1]
    const indices = new Set(group)
    for (const { index, content } of readStretch(folder, size, { from, to }))
      if (indices.has(index)) found.push(one(index, content?.toString() ?? ''))
    await Promise.all(found)
    signal?.throwIfAborted()
    done += group.length
    progress?.(done, wanted.length)
  }
  return count

  async function one(index: number, content: string): Promise<void> {
    const entry = readEntry(content)
    if (entry.is !== 'entry' || entry.kind === undefined) return
    const { kind, statement, digest } = entry
    const isSent = BY_SENDERS.includes(kind)
    const why: Unproved | undefined = isSent
      ? await whyUnsent(statement, listeners)
      : (whyUnstated(kind, statement, listeners) ?? repeated(index, statement.predicate))
    if (why) faults.add(why.code, why.detail, { index, digest })
    else if (isSent && statement.predicate.envelope !== null) count.senders++
    else if (statement.predicate.standing === 'proved') count.people++
  }

  /** A signed statement counts once: it holds its own time. */
  function repeated(index: number, { standing, stated: words }: Says): Unproved | undefined {
    if (standing !== 'proved') return undefined
    const first = stated.get(words)
    if (first === undefined) stated.set(words, index)
    else
      return {
        code: 'ledger/unproved-statement',
        detail: `entry ${first} already records the same statement, which is not proved to be made twice`,
      }
    return undefined
  }
}
