import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { appendLeaf, type Frontier } from '../frontier.ts'
import { HASH_SIZE, type Hash, leafHash, subtreeHash } from '../hash.ts'
import { decodeBundle, hashesAt, TILE_WIDTH, type Tile, tilePath } from '../tile.ts'
import { writeLines } from './content.ts'
import type { DurableFiles } from './durable.ts'
import { tampered } from './fault.ts'
import type { FrameEntry } from './frame.ts'
import { sha256 } from './sha256.ts'
import { readTile } from './tiles.ts'

/** The last tile of a level while it grows. */
interface OpenTile {
  readonly level: number
  readonly index: number
  readonly bytes: Uint8Array
  width: number
  /** Its width on disk. */
  written: number
}

/** The last group of entries while it grows. */
interface OpenGroup {
  readonly index: number
  /** The number of its entries and lines on disk. */
  readonly had: number
  readonly bundle: Uint8Array[]
  readonly lines: Uint8Array[]
}

/** Writes entries to the files of a log in order; at the end it writes the partial tiles of the new size too. */
export class Growth {
  readonly #folder: string
  readonly #files: DurableFiles
  readonly #tiles: OpenTile[] = []
  readonly #full: Tile[] = []
  #group: OpenGroup
  #frontier: Frontier

  constructor(folder: string, files: DurableFiles, frontier: Frontier) {
    this.#folder = folder
    this.#files = files
    this.#frontier = frontier
    this.#group = this.#openGroup()
  }

  get frontier(): Frontier {
    return this.#frontier
  }

  add({ leaf, content }: FrameEntry): void {
    const hash = leafHash(sha256, leaf)
    this.#frontier = appendLeaf(sha256, this.#frontier, hash)
    this.#group.bundle.push(Uint8Array.of(leaf.length >>> 8, leaf.length & 0xff), leaf)
    this.#group.lines.push(content)
    this.#push(0, hash)
    if (this.#frontier.size % TILE_WIDTH === 0) {
      this.#writeGroup(TILE_WIDTH)
      this.#group = this.#openGroup()
    }
  }

  /** Writes the partial tiles. */
  finish(): void {
    const width = this.#frontier.size % TILE_WIDTH
    if (width > this.#group.had) this.#writeGroup(width)
    for (const tile of this.#tiles) if (tile.width > tile.written) this.#writeTile(tile)
  }

  /** Removes partial tiles that full ones replaced. */
  tidy(): void {
    for (const tile of this.#full)
      rmSync(dirname(join(this.#folder, tilePath({ ...tile, width: 1 }))), {
        recursive: true,
        force: true,
      })
  }

  #push(level: number, hash: Hash): void {
    const tile = this.#tiles[level] ?? this.#openTile(level)
    tile.bytes.set(hash, tile.width * HASH_SIZE)
    tile.width++
    if (tile.width < TILE_WIDTH) return
    this.#writeTile(tile)
    this.#full.push({ level, index: tile.index, width: TILE_WIDTH })
    this.#tiles[level] = newTile(level, tile.index + 1)
    this.#push(level + 1, subtreeHash(sha256, tile.bytes))
  }

  /** A level that grows for the first time continues from the files: one of its hashes is new. */
  #openTile(level: number): OpenTile {
    const had = hashesAt(level, this.#frontier.size) - 1
    const tile = newTile(level, Math.floor(had / TILE_WIDTH))
    const width = had % TILE_WIDTH
    if (width > 0) {
      const bytes = readTile(this.#folder, { level, index: tile.index, width })
      if (bytes.length !== width * HASH_SIZE)
        throw tampered(`${tilePath({ level, index: tile.index, width })} has the wrong length`)
      tile.bytes.set(bytes)
      tile.width = width
      tile.written = width
    }
    this.#tiles[level] = tile
    return tile
  }

  #writeTile(tile: OpenTile): void {
    const { level, index, width, bytes } = tile
    const file = join(this.#folder, tilePath({ level, index, width }))
    this.#files.replace(file, bytes.subarray(0, width * HASH_SIZE))
    tile.written = width
  }

  #openGroup(): OpenGroup {
    const { size } = this.#frontier
    const index = Math.floor(size / TILE_WIDTH)
    const had = size % TILE_WIDTH
    const bundle: Uint8Array[] = []
    if (had > 0) {
      const tile: Tile = { level: 'entries', index, width: had }
      const bytes = readTile(this.#folder, tile)
      if (decodeBundle(bytes)?.length !== had) throw tampered(`${tilePath(tile)} is damaged`)
      bundle.push(bytes)
    }
    return { index, had, bundle, lines: [] }
  }

  #writeGroup(width: number): void {
    const { index, had, bundle, lines } = this.#group
    const tile: Tile = { level: 'entries', index, width }
    this.#files.replace(join(this.#folder, tilePath(tile)), Buffer.concat(bundle))
    writeLines(this.#files, this.#folder, index, had, lines)
    if (width === TILE_WIDTH) this.#full.push(tile)
  }
}

function newTile(level: number, index: number): OpenTile {
  const bytes = new Uint8Array(TILE_WIDTH * HASH_SIZE)
  return { level, index, bytes, width: 0, written: 0 }
}
