import pg from 'pg'

/** A connection that no code of ours stands behind. */
export interface Raw {
  readonly client: pg.Client
  /** Runs a statement in a transaction of its own, with a tenant or none, and answers its rows. */
  rows(tenant: string | undefined, sql: string, values?: readonly unknown[]): Promise<Row[]>
  /** The code that PostgreSQL refuses a statement with; nothing where it accepts it. What it did is rolled back. */
  refusal(
    tenant: string | undefined,
    sql: string,
    values?: readonly unknown[],
  ): Promise<Refusal | undefined>
  end(): Promise<void>
}

type Row = Record<string, unknown>

/** Why a statement was refused. */
export interface Refusal {
  readonly code: string
  readonly message: string
  readonly detail: string
}

/** Connects to a database as the user of its address. */
export async function connectRaw(url: string): Promise<Raw> {
  const client = new pg.Client(url)
  client.on('error', () => {})
  await client.connect()
  const begin = async (tenant: string | undefined) => {
    await client.query('begin')
    if (tenant !== undefined)
      await client.query("select set_config('waybill.tenant', $1, true)", [tenant])
  }
  return {
    client,
    rows: async (tenant, sql, values) => {
      await begin(tenant)
      try {
        const { rows } = await client.query(sql, values && [...values])
        await client.query('commit')
        return rows
      } catch (error) {
        await client.query('rollback')
        throw error
      }
    },
    refusal: async (tenant, sql, values) => {
      await begin(tenant)
      try {
        await client.query(sql, values && [...values])
        return undefined
      } catch (error) {
        const { code = '', message, detail = '' } = error as pg.DatabaseError
        return { code, message, detail }
      } finally {
        await client.query('rollback')
      }
    },
    end: () => client.end(),
  }
}
