import { ask, type Tx } from './tx.ts'

/** The time of the database, in milliseconds since 1970: by it the moments of missions and tasks are told. */
export async function databaseTime(tx: Tx): Promise<number> {
  const asked = ask<{ now: number }>(tx)
  const [row] = await asked`select date_part('epoch', clock_timestamp()) * 1000 as now`
  return row?.now ?? Number.NaN
}
