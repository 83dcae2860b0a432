import { quote } from '../contract/index.ts'
import { WaybillError } from '../error.ts'
import { ask, type Tx } from './tx.ts'

/**
 * Makes sure that a database belongs to the repository of a log; it is that of whoever asks first.
 *
 * @throws WaybillError `configuration` where it belongs to another one.
 */
export async function claimDatabase(tx: Tx, origin: string): Promise<void> {
  await ask(tx)`insert into waybill.installation (origin) values (${origin}) on conflict do nothing`
  const [row] = await ask<{ origin: string }>(tx)`select origin from waybill.installation`
  if (row === undefined || row.origin === origin) return
  throw new WaybillError(
    'configuration',
    `the database belongs to another repository, whose log is ${quote(row.origin)}`,
    {
      hint: 'give this one a database of its own (DATABASE_URL); if it is to take the place of the other, the owner of the database says so: delete from waybill.installation',
    },
  )
}
