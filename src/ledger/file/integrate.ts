import { mkdirSync } from 'node:fs'
import type { LastClock } from '../log.ts'
import { DurableFiles } from './durable.ts'
import { cannotWrite, tampered } from './fault.ts'
import { Growth } from './growth.ts'
import { mergeRuns, writeRun } from './key-index.ts'
import { KeyRecords } from './key-records.ts'
import { type Places, placesIn } from './paths.ts'
import { formatTree, type TreeState } from './tree.ts'
import { readFrames, type Segment } from './wal.ts'

/** The input of an integration. */
export interface Integration {
  readonly folder: string
  readonly tree: TreeState
  /** Closed segments, in order. */
  readonly segments: readonly Segment[]
}

/**
 * Brings the entries of write-ahead segments into the files of a log, and returns the new state of the tree.
 *
 * Reads only files, so it works the same after a crash and in another thread. It is idempotent: nothing under a
 * checkpoint changes, and the state is written last, when all is on disk.
 */
export function integrate({ folder, tree, segments }: Integration): TreeState {
  const places = placesIn(folder)
  try {
    mkdirSync(places.temporary, { recursive: true, mode: 0o700 })
  } catch (cause) {
    throw cannotWrite(places.temporary, cause)
  }
  mergeRuns(places, tree.frontier.size)
  const files = new DurableFiles(places.temporary)
  const { growth, clock } = grow(places, files, tree, segments)
  files.settle()
  const grown: TreeState = {
    origin: tree.origin,
    frontier: growth.frontier,
    ...(clock && { clock }),
  }
  // The state must not refer to files whose names are not durable.
  files.replace(places.tree, formatTree(grown))
  files.settle()
  growth.tidy()
  return grown
}

function grow(
  places: Places,
  files: DurableFiles,
  tree: TreeState,
  segments: readonly Segment[],
): { growth: Growth; clock: LastClock | undefined } {
  const from = tree.frontier.size
  const growth = new Growth(places.folder, files, tree.frontier)
  const records = new KeyRecords()
  let clock = tree.clock
  for (const [i, segment] of segments.entries())
    for (const frame of readFrames(segment, i === segments.length - 1)) {
      const { size } = growth.frontier
      if (frame.first > size) throw tampered(`the record of entry ${size} is missing`)
      clock = frame.clock
      for (const [at, entry] of frame.entries.entries()) {
        // Skip what was integrated before the process was killed.
        if (frame.first + at < size) continue
        records.add(entry.keys, frame.first + at)
        growth.add(entry)
      }
    }
  growth.finish()
  writeRun(files, places, { from, to: growth.frontier.size }, records.sets())
  return { growth, clock }
}
