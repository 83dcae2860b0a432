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

/** How many entries hold what a key of somebody else than the gateway has signed. */
export interface Voices {
  readonly people: number
  readonly senders: number
}

/** The entries that one file holds are read at once. */
const TOGETHER = 256

/** Verifies of some entries what people have stated in them and what senders have signed. */
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

  /** What a person has stated once counts once: the words have their time in them. */
  function repeated(index: number, { standing, stated: words }: Says): Unproved | undefined {
    if (standing !== 'proved') return undefined
    const first = stated.get(words)
    if (first === undefined) stated.set(words, index)
    else
      return {
        code: 'ledger/unproved-statement',
        detail: `the same was recorded as entry ${first} already: nothing shows that it was stated twice`,
      }
    return undefined
  }
}
