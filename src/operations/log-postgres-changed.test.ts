import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../test/database.ts'
import { recordSmall } from '../../test/ledger-folder.ts'
import { type Installation, type Machine, openInstallation } from '../../test/machines.ts'
import { connectRaw } from '../../test/raw-sql.ts'
import { loadConfig } from '../workspace/index.ts'
import { withGateway } from './gateway/open.ts'
import logVerify from './log-verify.ts'

let installation: Installation
let machine: Machine
beforeAll(async () => {
  installation = await openInstallation()
  machine = installation.first
  await record(0)
  await record(1)
})
afterAll(() => installation?.remove())

async function record(number: number, app = machine.app()): Promise<void> {
  const config = await loadConfig(machine.root)
  await withGateway(app, config, gateway => recordSmall(gateway, number))
}

test('a promised entry that is not published yet is reported as waiting', async () => {
  const raw = await connectRaw(installation.database.url)
  const config = await loadConfig(machine.root)
  const { size } = await logVerify.run({}, machine.app())
  const verified = await withGateway(machine.app(), config, async gateway => {
    for (let number = 100; ; number++) {
      await recordSmall(gateway, number)
      // A process that holds the state keeps it from being published.
      await raw.client.query('begin; select from waybill.ledger_take()')
      const found = await logVerify.run({}, machine.app())
      await raw.client.query('rollback')
      if (found.counts.pending > 0) return found
    }
  })
  await raw.end()
  expect(verified.size).toBeGreaterThanOrEqual(size ?? 0)
  expect(verified).toMatchObject({
    ...{ verified: true, counts: { pending: 1 } },
    faults: [{ code: 'ledger/promises-pending', file: 'waybill.ledger_entries' }],
  })
  expect(await logVerify.run({}, machine.app())).toMatchObject({ faults: [] })
})

describe('log verify finds what was changed in the database', () => {
  const key = 'where index = 0 and not is_unique'
  const hidden = `insert into waybill.ledger_keys select sha256('id:x'), 0, false`
  test.each([
    ['a key less', `delete from waybill.ledger_keys ${key}`, 'index-differs', 'ledger_keys'],
    ['a key more', hidden, 'index-differs', 'ledger_keys'],
    [
      'another content',
      `update waybill.ledger_entries set content = '{}' where index = 0`,
      'content-malformed',
      null,
    ],
    [
      'another leaf',
      `update waybill.ledger_entries set leaf = 'x' where index = 0`,
      'root-differs',
      'ledger_checkpoint',
    ],
    [
      'another frontier',
      'update waybill.ledger_state set frontier = set_byte(frontier, 5, 255 - get_byte(frontier, 5))',
      'state-damaged',
      'ledger_state',
    ],
    [
      'no checkpoint',
      'delete from waybill.ledger_checkpoint',
      'checkpoint-missing',
      'ledger_checkpoint',
    ],
  ])('%s', async (_, statement, code, table) => {
    const copy = await copyOf(installation.database.url, await openDatabase())
    try {
      const raw = await connectRaw(copy.url)
      await raw.client.query(`set session_replication_role = replica; ${statement}`)
      await raw.end()
      const { verified, faults } = await logVerify.run({}, machine.app({ databaseUrl: copy.url }))
      expect(verified).toBe(false)
      const found = faults.find(fault => fault.code === `ledger/${code}`)
      expect(faults.map(fault => fault.code)).toContain(`ledger/${code}`)
      expect(found?.file).toBe(table === null ? null : `waybill.${table}`)
    } finally {
      await copy.remove()
    }
  })

  test('a backup of it that was put back is found out by the guards', async () => {
    const backup = await copyOf(installation.database.url, await openDatabase())
    try {
      await record(2)
      const app = machine.app({ databaseUrl: backup.url })
      const { verified, faults } = await logVerify.run({}, app)
      expect(verified).toBe(false)
      expect(faults.map(({ code }) => code)).toContain('ledger/rolled-back')
      await expect(record(3, app)).rejects.toMatchObject({ code: 'ledger-tampered' })
      // The one that is whole goes on.
      expect(await logVerify.run({}, machine.app())).toMatchObject({ verified: true })
    } finally {
      await backup.remove()
    }
  })
})

/** Brings the rows of a log into another database, as a backup does. */
async function copyOf<T extends { readonly url: string }>(from: string, to: T): Promise<T> {
  const [source, target] = [await connectRaw(from), await connectRaw(to.url)]
  const TABLES = ['entries', 'keys', 'nodes', 'checkpoint', 'state']
  await target.client.query(
    "set session_replication_role = replica; delete from waybill.ledger_state; set timezone = 'UTC'",
  )
  for (const table of TABLES) {
    const { rows } = await source.client.query(`select * from waybill.ledger_${table}`)
    for (const row of rows) {
      const columns = Object.keys(row).filter(name => name !== 'leaf_hash')
      const places = columns.map((_, i) => `$${i + 1}`)
      await target.client.query(
        `insert into waybill.ledger_${table} (${columns}) values (${places})`,
        columns.map(name => row[name]),
      )
    }
  }
  await Promise.all([source.end(), target.end()])
  return to
}
