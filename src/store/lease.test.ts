import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { openDatabase } from '../../test/database.ts'
import { connectRaw } from '../../test/raw-sql.ts'
import { openLease } from './lease.ts'

test('no worker is silent for longer than the server runs: while it was away no worker could renew its row', async () => {
  const { url, remove } = await openDatabase()
  const owner = await connectRaw(url)
  const [other, own] = [randomUUID(), randomUUID()]
  await owner.client.query(
    `insert into waybill.workers (worker_id, host, pid, renewed_at)
      values ($1, 'elsewhere', 1, pg_postmaster_start_time() - interval '1 day')`,
    [other],
  )
  const lease = openLease(url, { id: own, host: 'here', pid: 2 })
  const { workers } = await lease.renew()
  const [{ ms } = {}] = await owner.rows(
    undefined,
    'select extract(epoch from clock_timestamp() - pg_postmaster_start_time()) * 1000 as ms',
  )
  const [first, second] = workers
  expect([first?.worker, second?.worker]).toEqual([own, other])
  expect(second?.age).toBeGreaterThan(0)
  expect(second?.age).toBeLessThanOrEqual(Number(ms))
  await lease.close()
  await owner.end()
  await remove()
})
