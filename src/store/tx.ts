import type { Kysely } from 'kysely'
import type { PoolClient } from 'pg'
import { loadKysely } from './packages.ts'
import type { DB } from './tables.generated.ts'

/** A transaction of one tenant: queries in the schema of the store, which see and write that tenant's rows alone. */
export type Tx = Omit<Kysely<DB>, 'connection' | 'destroy' | 'startTransaction' | 'transaction'>

const builders = new WeakMap<object, Tx>()
const clients = new WeakMap<Tx, Pick<PoolClient, 'query'>>()

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
  clients.set(builder, client)
  return builder
}

/** A statement, or a part of one, whose values are sent beside its text. */
export class Part {
  readonly texts: readonly string[]
  readonly values: readonly unknown[]

  constructor(texts: readonly string[], values: readonly unknown[]) {
    this.texts = texts
    this.values = values
  }
}

/** A part of a statement, to stand in another one. */
export function part(texts: TemplateStringsArray, ...values: readonly unknown[]): Part {
  return new Part(texts, values)
}

/** A part that is the same text at all times. */
export function text(words: string): Part {
  return new Part([words], [])
}

/**
 * Asks a statement that is written out here: it is sent before the call returns, so that those of one moment are done in
 * the order in which they are asked. For what is asked all the time; to build it anew takes longer than to run it.
 */
export function ask<Row>(
  tx: Tx,
): (texts: TemplateStringsArray, ...values: readonly unknown[]) => Promise<readonly Row[]> {
  return async (texts, ...values) => (await send<Row>(tx, new Part(texts, values))).rows
}

/** Does a statement, and tells how many rows it has changed. */
export async function change(tx: Tx, statement: Part): Promise<number> {
  return (await send(tx, statement)).rowCount ?? 0
}

function send<Row>(tx: Tx, statement: Part) {
  const client = clients.get(tx)
  if (!client) throw new TypeError('this is no transaction of the store')
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
