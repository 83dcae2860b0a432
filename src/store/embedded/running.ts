import { realpathSync } from 'node:fs'
import type { Client } from 'pg'
import { WaybillError } from '../../error.ts'
import { codeOf } from '../faults.ts'
import { type Place, readText } from './place.ts'
import { worksIn } from './processes.ts'
import { connect, readPassword, urlOf } from './session.ts'

/** A running server with the data of the place. */
export interface Running {
  readonly url: string
  readonly pid: number
  readonly port: number
  /** Milliseconds since the epoch. */
  readonly since: number
  /** Whether a watchdog is running. */
  readonly isGuarded: boolean
}

/**
 * The state of a server: `busy` while it starts, stops or has no free connection; `closed` when it refuses our
 * password.
 */
export type Found =
  | { readonly state: 'none' }
  | { readonly state: 'busy'; readonly pid: number }
  | { readonly state: 'closed'; readonly problem: WaybillError }
  | { readonly state: 'up'; readonly server: Running }

/** Advisory locks in the server, by which watchdogs and starters coordinate. */
export const LOCKS = {
  /** Held by the one watchdog. */
  guard: '1463904850, 1',
  /** Shared while joining; taken exclusively by a watchdog that stops the server. */
  joining: '1463904850, 2',
} as const

const QUESTION = `
  select current_setting('data_directory') as folder,
         pg_read_file('postmaster.pid') as file,
         (extract(epoch from pg_postmaster_start_time()) * 1000)::float8 as since,
         exists (
           select from pg_locks
            where locktype = 'advisory' and (classid, objid) = (${LOCKS.guard}) and objsubid = 2 and granted
         ) as guarded`

/** Looks for the server of a place. A lock file proves nothing, so it connects and asks which data is open. */
export async function findRunning(place: Place): Promise<Found> {
  const { found, session } = await meetRunning(place)
  await session?.end()
  return found
}

/** Like `findRunning`, but leaves the connection open. */
export async function meetRunning(place: Place): Promise<{ found: Found; session?: Client }> {
  const none = { found: { state: 'none' } } as const
  const text = readText(place.pidFile)
  if (text === undefined) return none
  const lines = text.split('\n')
  const [pid = 0, port = 0] = [0, 3].map(line => Number(lines[line]))
  if (!pid || worksIn(pid, place.data) === false) return none
  const busy = { found: { state: 'busy', pid } } as const
  // Port and state are written after the process id.
  if (!port || lines[7]?.trim() !== 'ready') return busy
  const password = readPassword(place)
  if (password === undefined) return closed(place, pid, 'is missing or empty')
  const url = urlOf(port, password)
  let session: Client | undefined
  try {
    session = await connect({ connectionString: url })
    const { rows } = await session.query(QUESTION)
    if (isOurs(place, pid, text, rows[0])) {
      const { since, guarded } = rows[0]
      const server = { url, pid, port, since: Math.round(since), isGuarded: guarded }
      return { found: { state: 'up', server }, session }
    }
  } catch (cause) {
    // Report a missing package; errors of the server are temporary.
    if (cause instanceof WaybillError) throw cause
    const isRefused = /^28/.test(codeOf(cause))
    // The process id may be reused by another server.
    if (isRefused && worksIn(pid, place.data)) return closed(place, pid, 'is wrong')
  }
  await session?.end().catch(() => {})
  return busy
}

function closed({ folder, password }: Place, pid: number, why: string) {
  const problem = new WaybillError(
    'configuration',
    `the database in ${folder} refuses the connection: its password in ${password} ${why}`,
    {
      hint: `restore it; or delete the file and stop the server (kill -INT ${pid}): the next start sets a new password and keeps the data`,
    },
  )
  return { found: { state: 'closed', problem } } as const
}

interface Answer {
  readonly folder: string
  readonly file: string
}

/**
 * Whether the server has our data. A server of another user knows its data by descriptor, so its working folder
 * decides.
 */
function isOurs(place: Place, pid: number, text: string, answer: Answer): boolean {
  // Ignore later lines: the status line may have changed.
  const start = (file: string) => file.split('\n').slice(0, 4).join('\n')
  if (start(answer.file) !== start(text)) return false
  return worksIn(pid, place.data) ?? answer.folder === realpathSync(place.data)
}
