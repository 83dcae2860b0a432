import { createServer } from 'node:net'
import { WaybillError } from '../../error.ts'
import { type Place, readText, writeText } from './place.ts'
import { pause } from './processes.ts'

/** Below what systems give to connections that go out, which could take a port away while the server is down. */
const RANGE = { first: 20_000, count: 10_000 }

/** How often a port that is taken is tried again, and after how long: it may be our own server that just ends. */
const TRIES = { count: 10, every: 50 }

/**
 * The port of a place: the same as ever, since others hold on to the address; another one only where somebody else has
 * taken it.
 */
export async function ensurePort(place: Place): Promise<number> {
  const known = Number(readText(place.port))
  if (isUsable(known) && (await isFreeSoon(known))) return known
  for (let tries = 0; tries < 100; tries++) {
    const port = RANGE.first + Math.floor(Math.random() * RANGE.count)
    if (!(await isFree(port))) continue
    writeText(place.port, `${port}\n`)
    return port
  }
  throw new WaybillError('input-output', 'no port is free for the database', {
    hint: 'set DATABASE_URL to a PostgreSQL server, 15 or newer',
  })
}

/** Whether a number is that of a port which whoever the server runs as may take; the file may hold anything. */
function isUsable(port: number): boolean {
  return Number.isInteger(port) && port >= 1024 && port < 65_536
}

async function isFreeSoon(port: number): Promise<boolean> {
  for (let tries = 0; tries < TRIES.count; tries++) {
    if (await isFree(port)) return true
    await pause(TRIES.every)
  }
  return false
}

/** Only this machine itself can reach the server. */
function isFree(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const server = createServer()
    server.on('error', () => resolve(false))
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () =>
      server.close(() => resolve(true)),
    )
  })
}
