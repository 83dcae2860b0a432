import type { EntryKeys } from '../log.ts'
import { cannotRead, entries as counted, tampered } from './fault.ts'
import { readStretch, type StoredEntry } from './group-reader.ts'
import type { Vouch } from './options.ts'
import type { Places } from './paths.ts'
import type { Published } from './published.ts'
import type { TreeState } from './tree.ts'
import { readFrames, type Segment } from './wal.ts'

/** The state of a log: its tree, what was signed, and what is promised after it. */
export interface PersistedLog {
  readonly tree: TreeState
  readonly published: Published
  readonly segments: readonly Segment[]
}

/**
 * Refuses uncovered entries that the log's gateway did not make: anyone who can write the files could add them, and a
 * signed checkpoint would make them permanent. Also refuses replayed entries of the gateway: its time never goes back.
 */
export function refuseUnvouched(
  { folder }: Places,
  { tree, published: { checkpoint, guards }, segments }: PersistedLog,
  vouch: Vouch | undefined,
): void {
  const { size } = tree.frontier
  // Guards also hold what the log signed.
  const covered = Math.max(...[checkpoint, ...guards].map(one => one?.checkpoint.size ?? 0))
  if (!vouch || (covered === size && segments.length === 0)) return
  let last = timeBefore(folder, covered, vouch)
  let next = covered
  for (const entry of readStretch(folder, size, { from: covered, to: size })) {
    last = timeOf(entry, last, vouch)
    next++
  }
  if (next < size) throw tampered(`of its ${counted(size)} entry ${next} cannot be read`)
  for (const entry of promisedBehind(size, segments)) last = timeOf(entry, last, vouch)
}

/** How many entries to search for one that was not erased. */
const LOOKED_THROUGH = 16

/** When the newest covered entry was made that was not erased. */
export function timeBefore(folder: string, covered: number, vouch: Vouch): number {
  for (let to = covered; to > Math.max(0, covered - LOOKED_THROUGH); to--)
    for (const entry of readStretch(folder, covered, { from: to - 1, to })) {
      const vouched = vouch(entry)
      if (!('fault' in vouched)) return vouched.at
    }
  return Number.NEGATIVE_INFINITY
}

interface Promised extends StoredEntry {
  readonly keys: EntryKeys
}

function* promisedBehind(size: number, segments: readonly Segment[]): Generator<Promised> {
  for (const [i, segment] of segments.entries())
    try {
      for (const { first, entries } of readFrames(segment, i === segments.length - 1))
        for (const [at, entry] of entries.entries())
          if (first + at >= size) yield { index: first + at, ...entry }
    } catch (cause) {
      throw cannotRead(segment.file, cause)
    }
}

/** Checks that the gateway made an entry, no earlier than the last one; returns its time. */
export function timeOf(
  entry: StoredEntry & { readonly keys?: EntryKeys },
  last: number,
  vouch: Vouch,
): number {
  const vouched = vouch(entry)
  const who = `entry ${entry.index}, which no checkpoint covers yet,`
  if ('fault' in vouched) throw tampered(`${who} was not made by its gateway: ${vouched.fault}`)
  if (vouched.at < last) throw tampered(`${who} was made before the previous entry`)
  if (entry.keys && !isSame(entry.keys, vouched.keys))
    throw tampered(`${who} is indexed under other keys than its own`)
  return vouched.at
}

function isSame(one: EntryKeys, other: EntryKeys): boolean {
  return (['unique', 'also'] as const).every(
    sort => one[sort].join('\n') === other[sort].join('\n'),
  )
}
