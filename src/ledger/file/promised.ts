import { existsSync } from 'node:fs'
import { cannotRead } from './fault.ts'
import type { FrameEntry } from './frame.ts'
import type { Places } from './paths.ts'
import { readFrames, segmentsIn } from './wal.ts'

/** The entries in write-ahead segments, whether or not a checkpoint covers them by now. */
export type Promised = ReadonlyMap<number, FrameEntry>

/**
 * Reads the entries promised in write-ahead segments. Read them before the checkpoint: segments removed meanwhile are
 * covered by it.
 */
export function readPromised({ wal }: Places): Promised {
  const promised = new Map<number, FrameEntry>()
  const segments = segmentsIn(wal)
  for (const [at, segment] of segments.entries()) {
    try {
      for (const { first, entries } of readFrames(segment, at === segments.length - 1))
        for (const [i, entry] of entries.entries()) promised.set(first + i, entry)
    } catch (error) {
      // An unreadable segment may contain the requested entry, so do not skip it.
      if (existsSync(segment.file)) throw cannotRead(segment.file, error)
    }
  }
  return promised
}

/** The indices of the promised entries with a key, from a size on, ascending. */
export function findPromised(promised: Promised, key: string, size: number): number[] {
  const has = ({ keys }: FrameEntry) => keys.unique.includes(key) || keys.also.includes(key)
  return [...promised]
    .flatMap(([index, entry]) => (index >= size && has(entry) ? [index] : []))
    .sort((one, other) => one - other)
}
