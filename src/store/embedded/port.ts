import { createServer } from 'node:net'
import { WaybillError } from '../../error.ts'
import { type Place, readText, writeText } from './place.ts'
import { pause } from './processes.ts'

/** Below the ephemeral ports, which outgoing connections could take while the server is down. */
const RANGE = { first: 20_000, count: 10_000 }

/** Retries for a taken port, which may belong to our own ending server. */
const TRIES = { count: 10, every: 50 }

/** Returns the port of a place: the known one, since clients remember it, or a new one if another program took it. */
export async function ensurePort(place: Place): Promise<number> {
  const known = Number(readText(place.port))
  if (isUsable(known) && (await isFreeSoon(known))) return known
  for (let tries = 0; tries < 100; tries++) {
    const port = RANGE.first + Math.floor(Math.random() * RANGE.count)
    if (!(await isFree(port))) continue
    writeText(place.port, `${port}\n`)
    return port
  }
  throw new WaybillError('input-output', 'no free port for the database', {
    hint: 'set DATABASE_URL to a PostgreSQL server, 15 or newer',
  })
}

/** Whether the server's user may bind a port; the file may contain anything. */
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

/** Checks on the loopback interface, the only one that the server uses. */
function isFree(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const server = createServer()
    server.on('error', () => resolve(false))
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () =>
      server.close(() => resolve(true)),
    )
  })
}
