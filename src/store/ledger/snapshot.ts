import type { ClientBase } from 'pg'
import { WaybillError } from '../../error.ts'
import {
  type EntryKeys,
  encodeBundle,
  type Frontier,
  frontierFromTiles,
  HASH_SIZE,
  isSame,
  type KeyRow,
  keyHash,
  LogFolder,
  newTiles,
  rootOf,
  sha256,
  TILE_WIDTH,
  type Tile,
} from '../../ledger/index.ts'
import { LedgerDatabase, type Row, type Sql } from './database.ts'
import { KeyRows } from './key-rows.ts'
import { tileIn } from './reader.ts'
import { CONTENTS, PROMISED, STATE, stateOf, tileStatement } from './statements.ts'

/** Options for writing a database's log into a folder. */
export interface SnapshotOptions {
  readonly origin: string
  /** The number of entries that the note covers; the rest is promised. */
  readonly sizeOf: (note: string) => number
  /** The keys of an entry, from its content. */
  readonly keysOf: (content: string) => { readonly keys: EntryKeys }
  readonly progress?: (done: number, total: number) => void
  readonly signal?: AbortSignal
  /** Wraps each query, for example to show progress. */
  readonly waiting?: <Answer>(asked: Promise<Answer>) => Promise<Answer>
}

/** A connection used for queries. */
type Queryable = Pick<ClientBase, 'query'>

/** The number of entries per key file. */
const STRETCH = 16_384

/**
 * Writes the log of a database into a folder as a file log, from one snapshot: tiles, contents, index, state and
 * promised entries. Nothing is verified: the reader of the folder does that.
 */
export async function snapshotPostgresLog(
  url: string,
  folder: string,
  options: SnapshotOptions,
): Promise<void> {
  const database = new LedgerDatabase(url)
  try {
    await database.on(async client => {
      const { waiting = asked => asked } = options
      const query = (text: string, values?: unknown[]) => waiting(client.query(text, values))
      const asked = { query } as Queryable
      await asked.query('begin isolation level repeatable read read only')
      await write(asked, new LogFolder(folder), options)
      await asked.query('commit')
    })
  } finally {
    await database.close()
  }
}

async function write(client: Queryable, to: LogFolder, options: SnapshotOptions): Promise<void> {
  const [row] = (await client.query(STATE.text)).rows as Row[]
  const { frontier, clock, origin = options.origin } = stateOf(row)
  const note = typeof row?.note === 'string' ? row.note : undefined
  const size = note === undefined ? 0 : Math.min(options.sizeOf(note), frontier.size)
  const published = await publishedFrontier(client, frontier, size)
  to.state({ origin, frontier: published, ...(clock && { clock }) })
  if (note === undefined) return
  await writeEntries(client, to, size, options)
  for (const tile of newTiles(0, size))
    if (tile.level !== 'entries') to.tile(tile, await hashesIn(client, tile))
  if (clock) {
    const { rows } = await client.query(PROMISED.text, [size])
    const promised = rows.map(({ leaf, content, digest }) => ({
      leaf,
      content,
      digest: Buffer.from(digest).toString('hex'),
    }))
    if (promised.length > 0) to.promised(size, clock, promised)
  }
  // Write the checkpoint last: a folder with one is complete.
  to.checkpoint(note)
}

/**
 * The frontier of the published part; if the state contradicts the tiles, the state itself, so that verification fails.
 */
async function publishedFrontier(
  client: Queryable,
  frontier: Frontier,
  size: number,
): Promise<Frontier> {
  const rows: Sql['rows'] = async ({ text }, values = []) =>
    (await client.query(text, [...values])).rows
  const read = (tile: Tile) => tileIn(tile, { rows })
  try {
    const there = await frontierFromTiles(sha256, frontier.size, read)
    if (!isSame(rootOf(sha256, there), rootOf(sha256, frontier))) return frontier
    return await frontierFromTiles(sha256, size, read)
  } catch (error) {
    if (error instanceof WaybillError) return frontier
    throw error
  }
}

async function writeEntries(
  client: Queryable,
  to: LogFolder,
  size: number,
  { keysOf, progress, signal }: SnapshotOptions,
): Promise<void> {
  const keys = new KeyRows(client)
  let [from, rows]: [number, KeyRow[]] = [0, []]
  for (let first = 0; first < size; first += TILE_WIDTH) {
    signal?.throwIfAborted()
    const end = Math.min(first + TILE_WIDTH, size)
    const tile = { level: 'entries', index: first / TILE_WIDTH, width: end - first } as const
    const [statement, values] = tileStatement(tile)
    const leaves = await client.query(statement.text, [...values])
    to.tile(tile, encodeBundle(leaves.rows.map(({ leaf }) => leaf)))
    const lines = (await client.query(CONTENTS.text, [first, end])).rows.map(row => row.content)
    to.contents(tile.index, lines)
    rows.push(...inOrder(await keys.upTo(end), first, lines, keysOf))
    if (end - from >= STRETCH || end === size) {
      to.keys({ from, to: end }, rows)
      from = end
      rows = []
    }
    progress?.(end, size)
  }
}

/** Orders keys as in their contents; keys without a content come last. */
function inOrder(
  rows: readonly KeyRow[],
  first: number,
  lines: readonly string[],
  keysOf: SnapshotOptions['keysOf'],
): KeyRow[] {
  const left = new Map(rows.map(row => [nameOf(row), row]))
  const ordered: KeyRow[] = []
  for (const [at, line] of lines.entries()) {
    const { unique, also } = keysIn(line, keysOf)
    for (const [keys, isUnique] of [[unique, true] as const, [also, false] as const])
      for (const key of keys) {
        const name = nameOf({ key: keyHash(key), index: first + at, isUnique })
        const row = left.get(name)
        if (row) ordered.push(row)
        left.delete(name)
      }
  }
  return [...ordered, ...left.values()]
}

/** The keys of an unreadable content are unknown. */
function keysIn(line: string, keysOf: SnapshotOptions['keysOf']): EntryKeys {
  try {
    return keysOf(line).keys
  } catch {
    return { unique: [], also: [] }
  }
}

const nameOf = ({ key, index, isUnique }: KeyRow) =>
  `${Buffer.from(key).toString('hex')} ${index} ${isUnique}`

async function hashesIn(client: Queryable, tile: Tile): Promise<Uint8Array> {
  const [statement, values] = tileStatement(tile)
  const { rows } = await client.query(statement.text, [...values])
  const hashes: unknown = rows[0]?.hashes
  // The reader of the tile detects missing hashes.
  return hashes instanceof Uint8Array
    ? hashes.subarray(0, tile.width * HASH_SIZE)
    : new Uint8Array()
}
