import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type LedgerFolder, openLedgerFolder, recordSmall } from '../../../test/ledger-folder.ts'
import { loadConfig } from '../../workspace/index.ts'
import { openGateway } from './gateway.ts'
import { fileStorage, hasOpenFiles } from './storage.ts'

let folder: LedgerFolder
beforeEach(async () => {
  folder = await openLedgerFolder()
})
afterEach(() => folder.remove())

test('a gateway is not opened on files where the log is to be kept in a database', async () => {
  const config = { ...(await loadConfig(folder.root)), ledger: 'postgres' as const }
  const opening = openGateway(folder.root, config, { now: Date.now })
  await expect(opening).rejects.toThrow('the log must be kept in postgres, not in file')
})

test('what is known of a log in files is nothing until it begins, then its checkpoint and its clock', async () => {
  const storage = fileStorage(folder.root)
  expect(await storage.head()).toBeUndefined()
  mkdirSync(folder.ledger)
  expect(await storage.head()).toBeUndefined()
  await folder.withGateway(gateway => recordSmall(gateway, 0))
  const head = await storage.head()
  expect(head?.note).toBe(folder.text('.waybill/ledger/checkpoint'))
  expect(head?.clock?.time).toBeGreaterThan(0)
  expect(hasOpenFiles(folder.root)).toBe(true)
})

test('a sealed log gives no head: it is kept elsewhere', async () => {
  await folder.withGateway(gateway => recordSmall(gateway, 0))
  writeFileSync(join(folder.ledger, 'sealed'), '{"to":"postgres","size":1,"at":""}')
  await expect(fileStorage(folder.root).head()).rejects.toMatchObject({ code: 'conflict' })
  expect(hasOpenFiles(folder.root)).toBe(false)
})
