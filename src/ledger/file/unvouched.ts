import type { EntryKeys } from '../log.ts'
import { cannotRead, entries as counted, tampered } from './fault.ts'
import { readStretch, type StoredEntry } from './group-reader.ts'
import type { Vouch } from './options.ts'
import type { Places } from './paths.ts'
import type { Published } from './published.ts'
import type { TreeState } from './tree.ts'
import { readFrames, type Segment } from './wal.ts'

/** A log as it was left: its tree, what was signed, and what is promised behind that. */
export interface PersistedLog {
  readonly tree: TreeState
  readonly published: Published
  readonly segments: readonly Segment[]
}

/**
 * Refuses entries that no checkpoint covers and that the gateway of the log has not made: whoever may write its files can
 * put them there, and a checkpoint signed over them would make them history. So are those that the gateway made once, and
 * somebody puts there again: its time never goes back.
 */
export function refuseUnvouched(
  { folder }: Places,
  { tree, published: { checkpoint, guards }, segments }: PersistedLog,
  vouch: Vouch | undefined,
): void {
  const { size } = tree.frontier
  // Guards hold what the log has signed as well.
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

/** So many entries are looked through for one that was not erased. */
const LOOKED_THROUGH = 16

/** When the newest entry that a checkpoint covers was made, as far as it was not erased. */
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

/** When an entry was made that the gateway vouches for, which is not before the last one. */
export function timeOf(
  entry: StoredEntry & { readonly keys?: EntryKeys },
  last: number,
  vouch: Vouch,
): number {
  const vouched = vouch(entry)
  const who = `entry ${entry.index}, which no checkpoint covers yet,`
  if ('fault' in vouched)
    throw tampered(`${who} is none that its gateway has made: ${vouched.fault}`)
  if (vouched.at < last) throw tampered(`${who} was made before the one that stands before it`)
  if (entry.keys && !isSame(entry.keys, vouched.keys))
    throw tampered(`${who} is to be found under other keys than it has`)
  return vouched.at
}

function isSame(one: EntryKeys, other: EntryKeys): boolean {
  return (['unique', 'also'] as const).every(
    sort => one[sort].join('\n') === other[sort].join('\n'),
  )
}
