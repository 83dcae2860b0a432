import { existsSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  type LedgerFolder,
  openLedgerFolder,
  recordMany,
  recordSmall,
} from '../../test/ledger-folder.ts'
import { pairOf, sha256 } from '../../test/tree.ts'
import {
  ED25519,
  formatCheckpoint,
  formatVerifierKey,
  noteSigner,
  signNote,
  verifierKey,
} from '../ledger/index.ts'
import doctor from './doctor.ts'
import init from './init.ts'
import logVerify from './log-verify.ts'

let folder: LedgerFolder
beforeEach(async () => {
  folder = await openLedgerFolder()
})
afterEach(() => folder.remove())

const small = (count: number, first = 0) => recordMany(folder, count, first)
const run = (given: Parameters<typeof logVerify.run>[0] = {}) => logVerify.run(given, folder.app())
const at = (file: string) => join(folder.ledger, file)

test('where there is no log yet, that is an error of the call; one that is gone is not', async () => {
  const none = { code: 'not-found', hint: expect.stringContaining('the first send or receive') }
  await expect(run()).rejects.toMatchObject(none)
  await small(2)
  rmSync(folder.ledger, { recursive: true })
  await expect(run()).rejects.toMatchObject({
    code: 'ledger-tampered',
    message: expect.stringMatching(/^the ledger is gone: .*keys\/checkpoint holds its checkpoint$/),
  })
  await expect(run({ ledger: 'nope' })).rejects.toMatchObject({
    code: 'not-found',
    hint: 'name the folder of a log with --ledger, such as a copy of .waybill/ledger',
  })
})

test('init too reports a log that is gone, takes nothing for ready then, and makes another one only once the keys are gone too', async () => {
  await small(2)
  const gone = {
    code: 'ledger-tampered',
    message: expect.stringMatching(/^the ledger is gone: .*keys\/checkpoint holds its checkpoint$/),
    hint: expect.stringMatching(/\.waybill\/ledger; .*\.waybill\/keys away .* --new-log$/),
  }
  expect((await init.run({}, folder.app())).steps.every(({ action }) => action === 'kept')).toBe(
    true,
  )
  renameSync(folder.ledger, join(folder.root, 'aside'))
  for (const given of [{}, { dryRun: true }, { newLog: true }])
    await expect(init.run(given, folder.app())).rejects.toMatchObject(gone)
  renameSync(join(folder.root, '.waybill/keys'), join(folder.root, 'keys-aside'))
  const { keys } = await init.run({ newLog: true }, folder.app())
  expect(keys.find(({ kind }) => kind === 'log')?.where).toBe('created')
  await small(1)
  expect(await run()).toMatchObject({ size: 1, faults: [] })
})

test('a log whose state is gone is not gone on from, and nothing is made in its place', async () => {
  await small(2)
  rmSync(at('.state/tree'))
  const missing = {
    code: 'ledger-tampered',
    message: expect.stringContaining('.state/tree, is missing'),
    hint: expect.stringMatching(/from a copy .* waybill log verify; .* waybill init --new-log$/),
  }
  await expect(small(1, 2)).rejects.toMatchObject(missing)
  rmSync(at('.state'), { recursive: true })
  await expect(small(1, 2)).rejects.toMatchObject(missing)
  expect(existsSync(at('.state'))).toBe(false)
  const { faults } = await run()
  expect(faults.map(({ code }) => code)).toEqual(['ledger/state-missing'])
})

test.each([
  ['is gone', (file: string) => rmSync(file), 'is missing'],
  ['is cut short', (file: string) => truncateSync(file, 20), 'is damaged'],
])('a log whose state %s continues once that file is put back', async (_, damage, problem) => {
  await small(2)
  const kept = folder.read('.state/tree')
  const item = async () => (await doctor.run({}, folder.app())).items.find(i => i.name === 'log')
  expect(await item()).toBeUndefined()
  damage(at('.state/tree'))
  expect(await item()).toMatchObject({ status: 'error', message: expect.stringContaining(problem) })
  const { size, faults } = await run()
  expect([size, faults.map(({ code }) => code)]).toEqual([2, ['ledger/state-damaged']])
  writeFileSync(at('.state/tree'), kept)
  await small(1, 2)
  expect(await run()).toMatchObject({ size: 3, faults: [] })
})

test('one entry is reported as one', async () => {
  await small(1)
  folder.copy(join(folder.root, 'before'))
  const segment = await folder.withGateway(async gateway => {
    await recordSmall(gateway, 1)
    return folder.read('.state/wal/1')
  })
  rmSync(folder.ledger, { recursive: true })
  renameSync(join(folder.root, 'before'), folder.ledger)
  writeFileSync(at('.state/wal/1'), segment)
  const { faults } = await run()
  expect(faults.find(({ code }) => code === 'ledger/promises-pending')?.message).toBe(
    'it promises 1 entry, which the next write adds to the tree',
  )
  rmSync(at('.state/wal/1'))
  await expect(small(1, 2)).rejects.toMatchObject({
    message: expect.stringContaining('it has 1 entry, and'),
  })
})

test('a checkpoint that speaks of more entries than any disk holds is refused by what is there', async () => {
  await small(300)
  const { publicKey, sign } = pairOf(1)
  const key = verifierKey(sha256, 'example.org/vast', ED25519, publicKey)
  const vast = { origin: key.name, size: 2 ** 40, root: sha256(new Uint8Array()) }
  writeFileSync(at('checkpoint'), signNote(formatCheckpoint(vast), [noteSigner(key, sign)]))
  const { verified, faults } = await run({ ledger: folder.ledger, key: [formatVerifierKey(key)] })
  expect(verified).toBe(false)
  expect(faults.map(({ code }) => code)).toContain('ledger/tile-damaged')
})
