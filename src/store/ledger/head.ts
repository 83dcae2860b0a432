import type { LastClock } from '../../ledger/index.ts'
import { connected } from '../connection.ts'
import { codeOf } from '../faults.ts'
import { APPLICATION, isolationOf } from '../roles.ts'
import { patiently } from './database.ts'
import { STATE, stateOf } from './statements.ts'

/** The state of a database's log before it is opened. */
export interface PostgresHead {
  /** Undefined until the first append. */
  readonly origin: string | undefined
  /** The published checkpoint, unverified. */
  readonly note: string | undefined
  readonly size: number
  readonly clock: LastClock | undefined
  /** Whether a move into the database is incomplete. */
  readonly isMoving: boolean
}

/** SQLSTATE codes for a missing schema, table or column. */
const MISSING = ['3F000', '42P01', '42703']

/** Reads the state of a database's log; `unmigrated` when its tables are missing. */
export function readPostgresHead(url: string): Promise<PostgresHead | 'unmigrated'> {
  return patiently(async () => {
    try {
      return await connected(url, async client => {
        const { by } = await isolationOf(client)
        if (by === 'roles') await client.query(`set role ${APPLICATION}`)
        const { rows } = await client.query(STATE.text)
        return headOf(rows[0])
      })
    } catch (error) {
      if (MISSING.includes(codeOf(error))) return 'unmigrated'
      throw error
    }
  })
}

function headOf(row: Readonly<Record<string, unknown>> | undefined): PostgresHead {
  const { origin, frontier, clock, isMoving } = stateOf(row)
  const note = typeof row?.note === 'string' ? row.note : undefined
  return { origin, note, size: frontier.size, clock, isMoving }
}
