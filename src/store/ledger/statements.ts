import { type Frontier, type LastClock, TILE_WIDTH, type Tile } from '../../ledger/index.ts'
import type { Row, Sql, Statement } from './database.ts'
import type { EncodedGroup } from './group.ts'

/** How far the log of a database has come. */
export interface LogState {
  /** Nothing until the log was first written. */
  readonly origin: string | undefined
  readonly frontier: Frontier
  readonly clock: LastClock | undefined
  /** Whether a log is being moved here, so that nobody else may append. */
  readonly isMoving: boolean
}

const statement = (name: string, text: string): Statement => ({ name: `waybill_${name}`, text })

const COLUMNS = 'origin, size, frontier, gateway_time, wall, boot, uptime, is_moving'

/** Reads the state together with the published checkpoint, from one moment. */
export const STATE = statement(
  'ledger_state',
  'select state.*, note from waybill.ledger_state as state left join waybill.ledger_checkpoint on true',
)

const TAKE = statement('ledger_take', `select ${COLUMNS} from waybill.ledger_take()`)

/** Begins a transaction that nobody else appends during. */
export const BEGIN_HELD = `begin; ${TAKE.text}`

/**
 * Ends the transaction of an append before it is on the disk, so that the next one who appends need not wait for that;
 * who promises something waits for `FLUSH`.
 */
export const SOON = 'set local synchronous_commit = off'

/**
 * Once this is committed all that was committed before is on the disk, as the server writes one log. It waits for that
 * also where the server is told not to.
 */
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

/** Where an entry stands from some index on, by its digest. */
export const PLACES = statement(
  'ledger_places',
  'select index from waybill.ledger_entries where index >= $1 and digest = $2 order by index',
)

/** Asks for the hashes of some entries, to see whether they are there. */
export const ENTRIES = statement(
  'ledger_entries',
  `select leaf_hash, digest from waybill.ledger_entries where index >= $1 and index < $2 order by index`,
)

/** Publishes a checkpoint while the state is held. */
export const PUBLISH = statement('ledger_publish', 'select waybill.ledger_publish($1, $2, $3)')

/** Puts signatures under the published checkpoint, if it is the first text. */
export const COSIGN = statement('ledger_cosign', 'select waybill.ledger_cosign($1, $2) as cosigned')

/** The published checkpoint. */
export const NOTE = statement('ledger_note', 'select note from waybill.ledger_checkpoint')

/** What stands beside a leaf. */
export const CONTENT = statement(
  'ledger_content',
  'select content from waybill.ledger_entries where index = $1',
)

/** The entries that have a key. */
export const FIND = statement(
  'ledger_find',
  'select index from waybill.ledger_keys where key = $1 and index < $2 order by index',
)

/** Puts a tombstone in the place of a content, as the owner. */
export const ERASE = statement('ledger_erase', 'select waybill.ledger_erase($1, $2) as erased')

/** Says that a log is being moved into the database, in a transaction that holds the state. */
export const MOVE_BEGIN = statement(
  'ledger_move_begin',
  'update waybill.ledger_state set is_moving = true, origin = $1',
)

/** Says that the log is whole, in a transaction that holds the state. */
export const MOVE_END = statement(
  'ledger_move_end',
  `update waybill.ledger_state set is_moving = false,
     gateway_time = greatest(gateway_time, $1), wall = $2, boot = $3, uptime = $4`,
)

/** Lets a transaction append to a log that is being moved. */
export const MOVING = "select set_config('waybill.moving', 'on', true)"

/** What stands beside some leaves. */
export const CONTENTS = statement(
  'ledger_contents',
  'select content from waybill.ledger_entries where index >= $1 and index < $2 order by index',
)

/** The digests of the contents of groups of 256 entries. */
export const DIGESTS = statement(
  'ledger_digests',
  `select sha256(convert_to(string_agg(content, E'\\n' order by index), 'UTF8')) as digest
     from waybill.ledger_entries where index >= $1 and index < $2 group by index / 256 order by index / 256`,
)

/** The entries from some index on. */
export const PROMISED = statement(
  'ledger_promised',
  'select leaf, content, digest from waybill.ledger_entries where index >= $1 order by index',
)

/** The keys of all entries, a part at a time. */
export const KEYS_CURSOR = `declare ledger_keys_read no scroll cursor for
  select key, index, is_unique from waybill.ledger_keys order by index, key`
/** The next part of them. */
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

/** The statement that reads a tile, and its values. */
export function tileStatement({ level, index, width }: Tile): [Statement, readonly unknown[]] {
  const first = index * TILE_WIDTH
  const range = [first, first + width]
  if (level === 'entries') return [LEAVES, range]
  return level === 0 ? [LEAF_HASHES, range] : [NODES, [...range, level]]
}

/** Waits until nobody else appends, in a transaction of the caller, and answers how far the log has come. */
export async function takeState(sql: Sql): Promise<LogState> {
  const [row] = await sql.rows(TAKE)
  return stateOf(row)
}

/** What came of a group: it was appended, it has to be made later, or keys of it stood in the way. */
export type Outcome =
  | { readonly first: number }
  | { readonly earlierThan: number }
  | { readonly conflicts: readonly Row[] }

/** Appends a group, or nothing of it. */
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

/** Reads the state of a log from its row. */
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
