import { quote } from '../contract/index.ts'
import { WaybillError } from '../error.ts'
import { ask, type Tx } from './tx.ts'

/**
 * Claims a database for the repository of a log, unless another one has claimed it.
 * @throws {WaybillError} 'configuration' when it belongs to another repository.
 */
export async function claimDatabase(tx: Tx, origin: string): Promise<void> {
  await ask(tx)`insert into waybill.installation (origin) values (${origin}) on conflict do nothing`
  const [row] = await ask<{ origin: string }>(tx)`select origin from waybill.installation`
  if (row === undefined || row.origin === origin) return
  throw new WaybillError(
    'configuration',
    `the database belongs to another repository, with the log ${quote(row.origin)}`,
    {
      hint: 'use another database (DATABASE_URL); to replace the other repository, run this as the database owner: delete from waybill.installation',
    },
  )
}
