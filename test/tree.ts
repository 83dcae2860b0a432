import {
  createHash,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto'
import {
  appendLeaf,
  EMPTY_FRONTIER,
  encodeBundle,
  type Hash,
  leafHash,
  type ReadTile,
  rootOf,
  subtreeHash,
  TILE_WIDTH,
  type Tile,
  tilePath,
  tilesOf,
} from '../src/ledger/index.ts'

/** SHA-256 of Node, for the core that takes it as a parameter. Plain bytes: a slice of a Buffer is not a copy. */
export const sha256 = (bytes: Uint8Array): Uint8Array =>
  new Uint8Array(createHash('sha256').update(bytes).digest())

/** The entry that stands at an index in a log made here. */
export const entryAt = (index: number): Uint8Array => new TextEncoder().encode(`entry ${index}`)

/** A log in memory: its root, and its files by path. */
export interface Tree {
  readonly size: number
  readonly root: Hash
  readonly leaves: readonly Hash[]
  readonly files: Map<string, Uint8Array>
  readonly read: ReadTile
}

/** Makes a log of some entries, by the product's own core. */
export function treeOf(entries: readonly Uint8Array[]): Tree {
  const leaves = entries.map(entry => leafHash(sha256, entry))
  const root = rootOf(
    sha256,
    leaves.reduce((f, leaf) => appendLeaf(sha256, f, leaf), EMPTY_FRONTIER),
  )
  const rows: Hash[][] = [[...leaves]]
  for (let row = leaves; row.length >= TILE_WIDTH; ) {
    const full = Math.floor(row.length / TILE_WIDTH)
    row = Array.from({ length: full }, (_, at) =>
      subtreeHash(sha256, Buffer.concat(row.slice(at * TILE_WIDTH, (at + 1) * TILE_WIDTH))),
    )
    rows.push([...row])
  }
  const files = new Map<string, Uint8Array>()
  for (const tile of tilesOf(entries.length))
    files.set(tilePath(tile), bytesOf(tile, entries, rows))
  return { size: entries.length, root, leaves, files, read: reader(files) }
}

/** A log of so many entries, each as `entryAt` has it. */
export const treeOfSize = (size: number): Tree =>
  treeOf(Array.from({ length: size }, (_, index) => entryAt(index)))

/** Reads tiles from files that are held in memory. */
export function reader(files: ReadonlyMap<string, Uint8Array>): ReadTile {
  return tile => {
    const bytes = files.get(tilePath(tile))
    if (!bytes) throw new Error(`${tilePath(tile)} is not there`)
    return bytes
  }
}

function bytesOf(tile: Tile, entries: readonly Uint8Array[], rows: readonly Hash[][]): Uint8Array {
  const from = tile.index * TILE_WIDTH
  if (tile.level === 'entries') return encodeBundle(entries.slice(from, from + tile.width))
  return new Uint8Array(Buffer.concat((rows[tile.level] ?? []).slice(from, from + tile.width)))
}

/** A pair of Ed25519 keys that follows from one number, with the raw public key. */
export interface Pair {
  readonly publicKey: Uint8Array
  readonly sign: (message: Uint8Array) => Uint8Array
}

const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')
const SPKI = Buffer.from('302a300506032b6570032100', 'hex')

/** The keys of a seed of 32 bytes, or of one byte repeated. */
export function pairOf(seed: Uint8Array | number): Pair {
  const bytes = typeof seed === 'number' ? new Uint8Array(32).fill(seed) : seed
  const key = createPrivateKey({ key: Buffer.concat([PKCS8, bytes]), format: 'der', type: 'pkcs8' })
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' })
  return { publicKey: spki.subarray(SPKI.length), sign: message => sign(null, message, key) }
}

/** The keys of a private key as Go writes it: `PRIVATE+KEY+<name>+<id>+<base64>`, of one byte of type and the seed. */
export function pairOfGoKey(text: string): Pair {
  const encoded = text.split('+').slice(4).join('+')
  return pairOf(Buffer.from(encoded, 'base64').subarray(1))
}

/** Checks an Ed25519 signature with Node. */
export function verifyEd25519(
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
): boolean {
  return verify(null, message, spkiOf(publicKey), signature)
}

const spkiOf = (publicKey: Uint8Array): KeyObject =>
  createPublicKey({ key: Buffer.concat([SPKI, publicKey]), format: 'der', type: 'spki' })
