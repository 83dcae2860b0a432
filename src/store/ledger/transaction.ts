import { loadKysely } from '../packages.ts'
import type { Tx } from '../tx.ts'
import type { Row, Sql } from './database.ts'

/** Runs statements in a caller's transaction. */
export async function sqlInTransaction(tx: Tx): Promise<Sql> {
  const { CompiledQuery } = await loadKysely()
  return {
    rows: async ({ text }, values = []) =>
      (await tx.executeQuery<Row>(CompiledQuery.raw(text, [...values]))).rows,
  }
}
