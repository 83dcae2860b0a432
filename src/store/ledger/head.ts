import type { LastClock } from '../../ledger/index.ts'
import { connected } from '../connection.ts'
import { codeOf } from '../faults.ts'
import { APPLICATION, isolationOf } from '../roles.ts'
import { patiently } from './database.ts'
import { STATE, stateOf } from './statements.ts'

/** What a database says of its log before that is opened. */
export interface PostgresHead {
  /** Nothing until the log was first written. */
  readonly origin: string | undefined
  /** The published checkpoint as it stands there; nobody has verified it. */
  readonly note: string | undefined
  readonly size: number
  readonly clock: LastClock | undefined
  /** Whether a log is being moved there, and is not whole yet. */
  readonly isMoving: boolean
}

/** What PostgreSQL answers where a schema, table or column is missing. */
const MISSING = ['3F000', '42P01', '42703']

/** Reads what a database says of its log; `unmigrated` where it has not the tables that this takes. */
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
