import { WaybillError } from '../../error.ts'
import {
  entries,
  isSame,
  openSigned,
  readCheckpoint,
  rootFromTiles,
  rootOf,
  type SignedCheckpoint,
  sha256,
  tampered,
} from '../../ledger/index.ts'
import { refuseOtherOrigin } from './appending.ts'
import type { LedgerDatabase } from './database.ts'
import type { PostgresLogOptions } from './options.ts'
import type { DatabaseReader } from './reader.ts'
import { type LogState, STATE, stateOf } from './statements.ts'

/** The state of an opened log. */
export interface OpenedState {
  readonly state: LogState
  /** Whether a checkpoint covers all entries. */
  readonly isPublished: boolean
}

interface Witnessed {
  readonly where: string
  readonly signed: SignedCheckpoint
}

/** Reads the state of a log, and refuses one that is older than or differs from a signed checkpoint. */
export async function openState(
  database: LedgerDatabase,
  reader: DatabaseReader,
  options: PostgresLogOptions,
): Promise<OpenedState> {
  // Read the guards first: the database then has at least their entries, despite concurrent appends.
  const witnessed = await guardsOf(options)
  const [row] = await database.read(STATE)
  const state = stateOf(row)
  const { size } = state.frontier
  refuseOtherOrigin(state.origin, options.origin)
  if (state.isMoving) throw isBeingMoved()
  const rootAt = (end: number) => rootFromTiles(sha256, end, tile => reader.tile(tile))
  if (!isSame(await rootAt(size), rootOf(sha256, state.frontier)))
    throw tampered('its state and its tiles have different roots')
  const where = 'its checkpoint'
  if (typeof row?.note === 'string')
    witnessed.push({ where, signed: await openSigned(row.note, where, options) })
  for (const one of witnessed) await refuseOlder(one, size, rootAt)
  const isCovered = witnessed.some(
    one => one.where === where && one.signed.checkpoint.size === size,
  )
  return { state, isPublished: size === 0 || isCovered }
}

/** The error for a log whose move is incomplete. */
function isBeingMoved(): WaybillError {
  return new WaybillError('conflict', 'the log is being moved into this database', {
    hint: 'nothing was written; if the move was interrupted, continue it with waybill log migrate --to postgres',
  })
}

async function guardsOf(options: PostgresLogOptions): Promise<Witnessed[]> {
  const found: Witnessed[] = []
  for (const where of options.guards) {
    const { guardVerifier: checkpointVerifier = options.checkpointVerifier } = options
    const signed = await readCheckpoint(where, { ...options, checkpointVerifier })
    if (signed) found.push({ where, signed })
  }
  return found
}

async function refuseOlder(
  { where, signed: { checkpoint } }: Witnessed,
  size: number,
  rootAt: (size: number) => Promise<Uint8Array>,
): Promise<void> {
  if (checkpoint.size > size)
    throw tampered(`it has ${entries(size)}, but ${where} was signed for ${checkpoint.size}`)
  if (!isSame(await rootAt(checkpoint.size), checkpoint.root))
    throw tampered(
      `its first ${checkpoint.size} entries differ from those that ${where} was signed for`,
    )
}
