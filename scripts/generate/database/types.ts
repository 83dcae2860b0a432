import { PostgresDialect as Dialect, Kysely } from 'kysely'
import { generate, PostgresDialect } from 'kysely-codegen'
import pg from 'pg'

/** The TypeScript types of the store's tables, read from a live database. */
export async function tableTypes(url: string): Promise<string> {
  const db = new Kysely({ dialect: new Dialect({ pool: new pg.Pool({ connectionString: url }) }) })
  try {
    const types = await generate({
      db,
      dialect: new PostgresDialect(),
      defaultSchemas: ['waybill'],
      includePattern: 'waybill.*',
      // Queries do not use the tables of the migrations.
      excludePattern: 'waybill.migration*',
      outFile: null,
    })
    return types.replace(/^\/\*\*[\s\S]*?\*\/\n+/, '')
  } finally {
    await db.destroy()
  }
}
