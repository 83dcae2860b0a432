import { type Frontier, type LastClock, TILE_WIDTH, type Tile } from '../../ledger/index.ts'
import type { Row, Sql, Statement } from './database.ts'
import type { EncodedGroup } from './group.ts'

/** The state of a log in a database. */
export interface LogState {
  /** Undefined until the first append. */
  readonly origin: string | undefined
  readonly frontier: Frontier
  readonly clock: LastClock | undefined
  /** Whether a move into the database blocks other appends. */
  readonly isMoving: boolean
}

const statement = (name: string, text: string): Statement => ({ name: `waybill_${name}`, text })

const COLUMNS = 'origin, size, frontier, gateway_time, wall, boot, uptime, is_moving'

/** Reads the state and the published checkpoint in one statement. */
export const STATE = statement(
  'ledger_state',
  'select state.*, note from waybill.ledger_state as state left join waybill.ledger_checkpoint on true',
)

const TAKE = statement('ledger_take', `select ${COLUMNS} from waybill.ledger_take()`)

/** Begins a transaction that blocks other appends. */
export const BEGIN_HELD = `begin; ${TAKE.text}`

/** Commits an append before it is on disk, so that the next append need not wait; `FLUSH` waits before promising. */
export const SOON = 'set local synchronous_commit = off'

/** Flushes all earlier commits to disk when committed, even with synchronous_commit off. */
export const FLUSH = statement(
  'ledger_flush',
  `select pg_logical_emit_message(true, 'waybill', ''),
     case current_setting('synchronous_commit') when 'off' then set_config('synchronous_commit', 'on', true) end`,
)

const APPEND = statement(
  'ledger_append',
  `select outcome, key, index, digest from waybill.ledger_append($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13,
     $14, $15)`,
)

/** Finds an entry by digest, from an index on. */
export const PLACES = statement(
  'ledger_places',
  'select index from waybill.ledger_entries where index >= $1 and digest = $2 order by index',
)

/** Reads the hashes of entries, to see whether they exist. */
export const ENTRIES = statement(
  'ledger_entries',
  `select leaf_hash, digest from waybill.ledger_entries where index >= $1 and index < $2 order by index`,
)

/** Publishes a checkpoint while the state is locked. */
export const PUBLISH = statement('ledger_publish', 'select waybill.ledger_publish($1, $2, $3)')

/** Adds signatures to the published checkpoint, if it is unchanged. */
export const COSIGN = statement('ledger_cosign', 'select waybill.ledger_cosign($1, $2) as cosigned')

/** The published checkpoint. */
export const NOTE = statement('ledger_note', 'select note from waybill.ledger_checkpoint')

/** The content of an entry. */
export const CONTENT = statement(
  'ledger_content',
  'select content from waybill.ledger_entries where index = $1',
)

/** The entries with a key. */
export const FIND = statement(
  'ledger_find',
  'select index from waybill.ledger_keys where key = $1 and index < $2 order by index',
)

/** Replaces a content by a tombstone, as the owner. */
export const ERASE = statement('ledger_erase', 'select waybill.ledger_erase($1, $2) as erased')

/** Marks the start of a move, in a transaction that locks the state. */
export const MOVE_BEGIN = statement(
  'ledger_move_begin',
  'update waybill.ledger_state set is_moving = true, origin = $1',
)

/** Marks the end of a move, in a transaction that locks the state. */
export const MOVE_END = statement(
  'ledger_move_end',
  `update waybill.ledger_state set is_moving = false,
     gateway_time = greatest(gateway_time, $1), wall = $2, boot = $3, uptime = $4`,
)

/** Allows a transaction to append during a move. */
export const MOVING = "select set_config('waybill.moving', 'on', true)"

/** The contents of entries. */
export const CONTENTS = statement(
  'ledger_contents',
  'select content from waybill.ledger_entries where index >= $1 and index < $2 order by index',
)

/** The digests of groups of 256 contents. */
export const DIGESTS = statement(
  'ledger_digests',
  `select sha256(convert_to(string_agg(content, E'\\n' order by index), 'UTF8')) as digest
     from waybill.ledger_entries where index >= $1 and index < $2 group by index / 256 order by index / 256`,
)

/** The entries from an index on. */
export const PROMISED = statement(
  'ledger_promised',
  'select leaf, content, digest from waybill.ledger_entries where index >= $1 order by index',
)

/** Reads the keys of all entries in parts. */
export const KEYS_CURSOR = `declare ledger_keys_read no scroll cursor for
  select key, index, is_unique from waybill.ledger_keys order by index, key`
/** The next part of the keys. */
export const KEYS_NEXT = 'fetch 8192 from ledger_keys_read'

const LEAVES = statement(
  'ledger_leaves',
  'select leaf from waybill.ledger_entries where index >= $1 and index < $2 order by index',
)
const LEAF_HASHES = statement(
  'ledger_leaf_hashes',
  `select string_agg(leaf_hash, '' order by index) as hashes
     from waybill.ledger_entries where index >= $1 and index < $2`,
)
const NODES = statement(
  'ledger_nodes',
  `select string_agg(hash, '' order by index) as hashes
     from waybill.ledger_nodes where level = $3 and index >= $1 and index < $2`,
)

/** The statement that reads a tile, with its values. */
export function tileStatement({ level, index, width }: Tile): [Statement, readonly unknown[]] {
  const first = index * TILE_WIDTH
  const range = [first, first + width]
  if (level === 'entries') return [LEAVES, range]
  return level === 0 ? [LEAF_HASHES, range] : [NODES, [...range, level]]
}

/** Locks the state in a caller's transaction, and returns it. */
export async function takeState(sql: Sql): Promise<LogState> {
  const [row] = await sql.rows(TAKE)
  return stateOf(row)
}

/** The result of an append: done, too early for the log's time, or with conflicting keys. */
export type Outcome =
  | { readonly first: number }
  | { readonly earlierThan: number }
  | { readonly conflicts: readonly Row[] }

/** Appends a group, all or nothing. */
export async function appendRows(
  sql: Sql,
  { origin, clock }: { readonly origin: string; readonly clock: LastClock },
  group: EncodedGroup,
): Promise<Outcome> {
  const { time, wall, boot, uptime } = clock
  const rows = await sql.rows(APPEND, [origin, time, ...group.values, wall, boot, uptime])
  const [row] = rows
  if (row?.outcome === 'appended') return { first: Number(row.index) }
  if (row?.outcome === 'earlier') return { earlierThan: Number(row.index) }
  return { conflicts: rows }
}

/** Parses the state of a log from its row. */
export function stateOf(row: Row | undefined): LogState {
  const { origin, size = 0, frontier, gateway_time: time, wall, boot, uptime } = row ?? {}
  const isMoving = row?.is_moving === true
  const roots = frontier instanceof Uint8Array ? frontier : new Uint8Array()
  return {
    origin: typeof origin === 'string' ? origin : undefined,
    frontier: {
      size: Number(size),
      hashes: Array.from({ length: roots.length / 32 }, (_, i) => roots.slice(32 * i, 32 * i + 32)),
    },
    clock: isThere(time)
      ? { time: Number(time), wall: Number(wall), boot: String(boot), uptime: Number(uptime) }
      : undefined,
    isMoving,
  }
}

const isThere = (value: unknown) => value !== null && value !== undefined
