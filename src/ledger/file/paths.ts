import { join } from 'node:path'
import { TILE_WIDTH, tilePath } from '../tile.ts'

/** The paths in a log's folder. */
export interface Places {
  readonly folder: string
  readonly checkpoint: string
  /** Write-ahead segments, named by the index of their first entry. */
  readonly wal: string
  readonly tree: string
  /** The index of keys. */
  readonly keys: string
  /** Temporary files. */
  readonly temporary: string
}

/** Returns the paths of a log. */
export function placesIn(folder: string): Places {
  const state = join(folder, '.state')
  return {
    folder,
    checkpoint: join(folder, 'checkpoint'),
    wal: join(state, 'wal'),
    tree: join(state, 'tree'),
    keys: join(state, 'keys'),
    temporary: join(state, 'tmp'),
  }
}

/** The file with the contents of a group of 256 entries; numbered like tiles. */
export function contentPath(folder: string, group: number): string {
  const path = tilePath({ level: 'entries', index: group, width: TILE_WIDTH })
  return join(folder, 'content', path.slice('tile/entries/'.length))
}
