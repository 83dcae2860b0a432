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

/** What is to be brought into the tree. */
export interface Integration {
  readonly folder: string
  readonly tree: TreeState
  /** Closed ones, in order. */
  readonly segments: readonly Segment[]
}

/**
 * Brings what stands in write-ahead segments into the files of a log, and gives the state of its tree after that.
 *
 * It reads nothing but files, so that it does the same after a crash, and in another thread. Everything it does can be
 * done again: nothing that a checkpoint covers is changed, and only when all is on the disk does the state say so.
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
  // The state vouches for files whose names are on the disk already.
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
        // What was integrated before the process was killed is only passed over.
        if (frame.first + at < size) continue
        records.add(entry.keys, frame.first + at)
        growth.add(entry)
      }
    }
  growth.finish()
  writeRun(files, places, { from, to: growth.frontier.size }, records.sets())
  return { growth, clock }
}
