import { ask, type Tx } from './tx.ts'

/** Returns the database time, in milliseconds since the epoch. */
export async function databaseTime(tx: Tx): Promise<number> {
  const asked = ask<{ now: number }>(tx)
  const [row] = await asked`select date_part('epoch', clock_timestamp()) * 1000 as now`
  return row?.now ?? Number.NaN
}
