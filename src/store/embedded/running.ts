import { realpathSync } from 'node:fs'
import type { Client } from 'pg'
import { WaybillError } from '../../error.ts'
import { codeOf } from '../faults.ts'
import { type Place, readText } from './place.ts'
import { worksIn } from './processes.ts'
import { connect, readPassword, urlOf } from './session.ts'

/** A server that answered and whose data are those of the place. */
export interface Running {
  readonly url: string
  readonly pid: number
  readonly port: number
  /** Milliseconds since the epoch. */
  readonly since: number
  /** Whether a watchdog looks after it. */
  readonly isGuarded: boolean
}

/** How a server was found; `busy` is one that starts or stops, or has no room for a connection, `closed` one that has another password. */
export type Found =
  | { readonly state: 'none' }
  | { readonly state: 'busy'; readonly pid: number }
  | { readonly state: 'closed'; readonly problem: WaybillError }
  | { readonly state: 'up'; readonly server: Running }

/** What watchdog and starters agree by, in the server itself: locks that end with the connection that holds them. */
export const LOCKS = {
  /** Held by the one watchdog. */
  guard: '1463904850, 1',
  /** Shared by whoever joins, and taken by a watchdog that is about to stop the server. */
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

/**
 * Looks for the server of a place. A file that says that it runs proves nothing: it is connected to and asked which data
 * it has open.
 */
export async function findRunning(place: Place): Promise<Found> {
  const { found, session } = await meetRunning(place)
  await session?.end()
  return found
}

/** The same, and leaves the connection open that the server was asked by. */
export async function meetRunning(place: Place): Promise<{ found: Found; session?: Client }> {
  const none = { found: { state: 'none' } } as const
  const text = readText(place.pidFile)
  if (text === undefined) return none
  const lines = text.split('\n')
  const [pid = 0, port = 0] = [0, 3].map(line => Number(lines[line]))
  if (!pid || worksIn(pid, place.data) === false) return none
  const busy = { found: { state: 'busy', pid } } as const
  // Port and state are written a moment after the number of the process.
  if (!port || lines[7]?.trim() !== 'ready') return busy
  const password = readPassword(place)
  if (password === undefined) return closed(place, pid, 'is missing, or empty')
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
    // A package that is not installed is told; whatever the server says comes round again.
    if (cause instanceof WaybillError) throw cause
    const isRefused = /^28/.test(codeOf(cause))
    // By its number alone it may be another server by now.
    if (isRefused && worksIn(pid, place.data)) return closed(place, pid, 'is not the one it has')
  }
  await session?.end().catch(() => {})
  return busy
}

function closed({ folder, password }: Place, pid: number, why: string) {
  const problem = new WaybillError(
    'configuration',
    `the database in ${folder} cannot be entered: its password in ${password} ${why}`,
    {
      hint: `put it back; or delete the file, and end the server if it still runs (kill -INT ${pid}): the next start sets a new one, and the data stay`,
    },
  )
  return { found: { state: 'closed', problem } } as const
}

interface Answer {
  readonly folder: string
  readonly file: string
}

/** As another user the server knows its data by a descriptor, not by a path; where it works tells in either case. */
function isOurs(place: Place, pid: number, text: string, answer: Answer): boolean {
  // Its last line, which tells how far the server is, may have changed in between.
  const start = (file: string) => file.split('\n').slice(0, 4).join('\n')
  if (start(answer.file) !== start(text)) return false
  return worksIn(pid, place.data) ?? answer.folder === realpathSync(place.data)
}
