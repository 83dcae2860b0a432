import { existsSync } from 'node:fs'
import type { Client } from 'pg'
import { lastStart, NEVER, type Place } from './place.ts'
import { pause } from './processes.ts'
import { type Found, LOCKS, meetRunning } from './running.ts'
import { signalServer } from './stop.ts'

/** How long a watchdog waits for its server to start, in milliseconds. */
const ARRIVAL = 60_000

/** Polling intervals in milliseconds: for a missing server, at most for a running one, and polls per idle time. */
const GLANCE = { absent: 50, most: 15_000, perIdle: 20 }

/** Unchanged while the server is unused: the current and the total connections. */
const USE = `
  select (select count(*) from pg_stat_activity
           where backend_type = 'client backend' and pid <> pg_backend_pid())::int as clients,
         (select coalesce(sum(sessions), 0) from pg_stat_database)::text as sessions`

/**
 * Stops the server of a place after it was unused for `idle` milliseconds; returns when the server ends. Its advisory
 * lock ensures one watchdog at a time and shows others that it lives.
 */
export async function guard(place: Place, idle: number, before: number): Promise<void> {
  for (let from = before; ; from = 0) {
    const met = await meet(place, from)
    if (!met) return
    try {
      const { rows } = await met.session.query(`select pg_try_advisory_lock(${LOCKS.guard}) as got`)
      if (!rows[0].got) return
      await watch(place, met.session, idle)
    } catch {
      // The connection ended: the server stopped, or only dropped its connections.
    } finally {
      await met.session.end().catch(() => {})
    }
  }
}

/** Waits for the server; gives up if it started after `before` and is gone. */
async function meet(place: Place, before: number): Promise<{ session: Client } | undefined> {
  let from = performance.now()
  for (;;) {
    const { found, session } = await tryToMeet(place)
    if (session) return { session }
    if (found.state === 'closed') {
      // The server accepts no connections, so it is useless and cannot be watched.
      signalServer(place, 'SIGINT')
      return undefined
    }
    if (found.state === 'busy') from = performance.now()
    else if (hasStarted(place, before) || performance.now() - from > ARRIVAL) return undefined
    await pause(GLANCE.absent)
  }
}

/** Whether a server started since `before`; compares for equality, since clocks may be set. */
function hasStarted(place: Place, before: number): boolean {
  const last = lastStart(place)
  // With the data gone, the server does not come back.
  return last === NEVER ? before === 0 || !existsSync(place.data) : last !== before
}

async function tryToMeet(place: Place): Promise<{ found: Found; session?: Client }> {
  try {
    return await meetRunning(place)
  } catch {
    return { found: { state: 'none' } }
  }
}

async function watch(place: Place, session: Client, idle: number): Promise<never> {
  const pace = Math.min(GLANCE.most, idle / GLANCE.perIdle)
  let last = await useOf(session)
  for (let since = performance.now(); ; await pauseWhileConnected(session, pace)) {
    const now = await useOf(session)
    if (now.clients > 0 || now.sessions !== last.sessions) since = performance.now()
    last = now
    if (performance.now() - since >= idle) await stopUnused(place, session, last.sessions)
  }
}

/** Waits, but no longer than the server runs. */
function pauseWhileConnected(session: Client, milliseconds: number): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(end, milliseconds)
    session.once('end', end)
    function end() {
      clearTimeout(timer)
      session.off('end', end)
      resolve()
    }
  })
}

interface Use {
  readonly clients: number
  readonly sessions: string
}

async function useOf(session: Client): Promise<Use> {
  const { rows } = await session.query(USE)
  return rows[0]
}

/** Stops an unused server. A lock excludes processes that are joining; those waiting for it see the server end. */
async function stopUnused(place: Place, session: Client, sessions: string): Promise<void> {
  const { rows } = await session.query(`select pg_try_advisory_lock(${LOCKS.joining}) as got`)
  if (!rows[0].got) return
  const now = await useOf(session)
  if (now.clients === 0 && now.sessions === sessions && signalServer(place, 'SIGINT'))
    await session.query('select pg_sleep(60)')
  await session.query(`select pg_advisory_unlock(${LOCKS.joining})`)
}
