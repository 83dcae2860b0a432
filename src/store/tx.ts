import type { Kysely } from 'kysely'
import type { PoolClient } from 'pg'
import { loadKysely } from './packages.ts'
import type { DB } from './tables.generated.ts'

/** A transaction of one tenant: queries in the schema of the store, which see and write that tenant's rows alone. */
export type Tx = Omit<Kysely<DB>, 'connection' | 'destroy' | 'startTransaction' | 'transaction'>

const builders = new WeakMap<object, Tx>()

/** The query builder over one connection; made once for each. */
export async function builderOver(client: Pick<PoolClient, 'query'>): Promise<Tx> {
  const known = builders.get(client)
  if (known) return known
  const { Kysely, PostgresDialect } = await loadKysely()
  // The connection belongs to its pool: the builder neither gives it back nor ends it.
  const borrowed = { query: client.query.bind(client), release: () => {} }
  const pool = { connect: async () => borrowed, end: async () => {}, options: {} }
  const dialect = new PostgresDialect({ pool: pool as never })
  const builder = new Kysely<DB>({ dialect }).withSchema('waybill')
  builders.set(client, builder)
  return builder
}
