import type { Client, ClientConfig } from 'pg'
import { loadPg } from '../packages.ts'
import { type Place, readText } from './place.ts'

/** The owner role of an embedded database, and its database. */
export const OWNER = 'waybill'
export const DATABASE = 'postgres'

/** The connection timeout, in milliseconds. */
const ANSWER = 5_000

/** Returns the URL of a local server, without encryption despite `PGSSLMODE` or `PGSSLNEGOTIATION`. */
export function urlOf(port: number, password: string): string {
  const plain = 'sslmode=disable&sslnegotiation=postgres'
  return `postgres://${OWNER}:${password}@127.0.0.1:${port}/${DATABASE}?${plain}`
}

/** Reads the password of the embedded database; undefined when missing or empty. */
export function readPassword({ password }: Place): string | undefined {
  return readText(password)?.trim() || undefined
}

/** Without options the driver would use `PGOPTIONS`, which is meant for other servers. */
const OPTIONS = '-c datestyle=ISO'

/** Opens a connection, which the caller must end. */
export async function connect(config: ClientConfig): Promise<Client> {
  const { Client } = await loadPg()
  const client = new Client({ connectionTimeoutMillis: ANSWER, options: OPTIONS, ...config })
  // The failing query, or `end`, reports a lost connection.
  client.on('error', () => {})
  await client.connect()
  return client
}
