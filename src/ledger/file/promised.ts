import { existsSync } from 'node:fs'
import { cannotRead } from './fault.ts'
import type { FrameEntry } from './frame.ts'
import type { Places } from './paths.ts'
import { readFrames, segmentsIn } from './wal.ts'

/** Entries that write-ahead segments hold, whether a checkpoint covers them by now or not. */
export type Promised = ReadonlyMap<number, FrameEntry>

/**
 * Reads what write-ahead segments promise. It has to be read before the checkpoint: what is taken away meanwhile stands
 * under that.
 */
export function readPromised({ wal }: Places): Promised {
  const promised = new Map<number, FrameEntry>()
  const segments = segmentsIn(wal)
  for (const [at, segment] of segments.entries()) {
    try {
      for (const { first, entries } of readFrames(segment, at === segments.length - 1))
        for (const [i, entry] of entries.entries()) promised.set(first + i, entry)
    } catch (error) {
      // Nobody can say what a segment holds that cannot be read: it may be just what is asked for.
      if (existsSync(segment.file)) throw cannotRead(segment.file, error)
    }
  }
  return promised
}

/** The indices from some size on of the promised entries that have a key, ascending. */
export function findPromised(promised: Promised, key: string, size: number): number[] {
  const has = ({ keys }: FrameEntry) => keys.unique.includes(key) || keys.also.includes(key)
  return [...promised]
    .flatMap(([index, entry]) => (index >= size && has(entry) ? [index] : []))
    .sort((one, other) => one - other)
}
