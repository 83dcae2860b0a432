import type { Client, ClientConfig } from 'pg'
import { loadPg } from '../packages.ts'
import { type Place, readText } from './place.ts'

/** The role that owns an embedded database, and the database that it works in. */
export const OWNER = 'waybill'
export const DATABASE = 'postgres'

/** How long a server that listens may take to answer, in milliseconds. */
const ANSWER = 5_000

/** The address of a server on this machine, which does not encrypt, whatever the environment asks of others (`PGSSLMODE`, `PGSSLNEGOTIATION`). */
export function urlOf(port: number, password: string): string {
  const plain = 'sslmode=disable&sslnegotiation=postgres'
  return `postgres://${OWNER}:${password}@127.0.0.1:${port}/${DATABASE}?${plain}`
}

/** The password of the embedded database; nothing where none was made yet, or the file is empty. */
export function readPassword({ password }: Place): string | undefined {
  return readText(password)?.trim() || undefined
}

/** Without any the driver takes those that the environment has for servers elsewhere (`PGOPTIONS`). */
const OPTIONS = '-c datestyle=ISO'

/** Opens one connection; the caller ends it. */
export async function connect(config: ClientConfig): Promise<Client> {
  const { Client } = await loadPg()
  const client = new Client({ connectionTimeoutMillis: ANSWER, options: OPTIONS, ...config })
  // A server that goes away is told by the query that fails, or by `end`.
  client.on('error', () => {})
  await client.connect()
  return client
}
