import type { Kysely } from 'kysely'
import type { PoolClient } from 'pg'
import { loadKysely } from './packages.ts'
import type { DB } from './tables.generated.ts'

/** A transaction of one tenant: queries access only that tenant's rows. */
export type Tx = Omit<Kysely<DB>, 'connection' | 'destroy' | 'startTransaction' | 'transaction'>

const builders = new WeakMap<object, Tx>()
const clients = new WeakMap<Tx, Pick<PoolClient, 'query'>>()

/** Returns the query builder of a connection, cached per connection. */
export async function builderOver(client: Pick<PoolClient, 'query'>): Promise<Tx> {
  const known = builders.get(client)
  if (known) return known
  const { Kysely, PostgresDialect } = await loadKysely()
  // The pool owns the connection: the builder must not release or end it.
  const borrowed = { query: client.query.bind(client), release: () => {} }
  const pool = { connect: async () => borrowed, end: async () => {}, options: {} }
  const dialect = new PostgresDialect({ pool: pool as never })
  const builder = new Kysely<DB>({ dialect }).withSchema('waybill')
  builders.set(client, builder)
  clients.set(builder, client)
  return builder
}

/** A statement or fragment with separate values. */
export class Part {
  readonly texts: readonly string[]
  readonly values: readonly unknown[]

  constructor(texts: readonly string[], values: readonly unknown[]) {
    this.texts = texts
    this.values = values
  }
}

/** A fragment for use in another statement. */
export function part(texts: TemplateStringsArray, ...values: readonly unknown[]): Part {
  return new Part(texts, values)
}

/** A fragment of constant text. */
export function text(words: string): Part {
  return new Part([words], [])
}

/**
 * Runs a statement, sent before the call returns, so that concurrent calls run in order. Faster than the query builder
 * for frequent statements.
 */
export function ask<Row>(
  tx: Tx,
): (texts: TemplateStringsArray, ...values: readonly unknown[]) => Promise<readonly Row[]> {
  return async (texts, ...values) => (await send<Row>(tx, new Part(texts, values))).rows
}

/** Runs a statement and returns the number of changed rows. */
export async function change(tx: Tx, statement: Part): Promise<number> {
  return (await send(tx, statement)).rowCount ?? 0
}

function send<Row>(tx: Tx, statement: Part) {
  const client = clients.get(tx)
  if (!client) throw new TypeError('this is not a transaction of the store')
  const values: unknown[] = []
  return client.query<Row & object>(textOf(statement, values), values)
}

function textOf({ texts, values: given }: Part, values: unknown[]): string {
  let all = texts[0] ?? ''
  for (const [i, value] of given.entries()) {
    all += value instanceof Part ? textOf(value, values) : `$${values.push(value)}`
    all += texts[i + 1] ?? ''
  }
  return all
}
