import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type LedgerFolder, openLedgerFolder, recordMany } from '../../test/ledger-folder.ts'
import { entriesOf } from '../../test/log-entries.ts'
import { text } from '../cli/render/key-revoke.ts'
import doctor from './doctor.ts'
import init from './init.ts'
import keyRevoke from './key-revoke.ts'
import keyRotate from './key-rotate.ts'
import logShow from './log-show.ts'
import logVerify from './log-verify.ts'

let folder: LedgerFolder
beforeEach(async () => {
  folder = await openLedgerFolder()
})
afterEach(() => folder.remove())

const small = (count: number, first = 0) => recordMany(folder, count, first)
const run = (given: Parameters<typeof logVerify.run>[0] = {}) => logVerify.run(given, folder.app())
const codes = async (given: Parameters<typeof logVerify.run>[0] = {}) => [
  ...new Set((await run(given)).faults.map(({ code }) => code)),
]

const listed = (kind: string) =>
  new RegExp(`(- ${kind}: [^\\n]*\\n    key: )([^\\n]*)(\\n    from: )([^\\n]*)`)

/** Changes the first key that is listed for a holder. */
function changeKey(kind: string, change: (key: string, from: string) => readonly [string, string]) {
  const file = join(folder.root, 'waybill.yaml')
  const text = readFileSync(file, 'utf8')
  const changed = text.replace(listed(kind), (_, holder, key, between, from) => {
    const [other, rest] = change(key, from)
    return `${holder}${other}${between}${from}${rest}`
  })
  if (changed === text) throw new Error('nothing is listed as expected')
  writeFileSync(file, changed)
}

test('a log that a revoked key has signed is refused, and one that its successor has signed since is not', async () => {
  await small(2)
  folder.copy(join(folder.root, 'before'))
  const { signers } = await run()
  await keyRotate.run({ holder: 'log' }, folder.app())
  await small(1, 2)
  changeKey('log', (key, from) => [`${key}`, `\n    revoked: ${from}`])
  expect(await codes()).toEqual([])
  expect((await run()).signers).not.toEqual(signers)
  expect(await codes({ ledger: 'before' })).toEqual(['ledger/checkpoint-key-revoked'])
})

test('entries by a key that was rotated since stay valid', async () => {
  await small(2)
  await keyRotate.run({ holder: 'gateway' }, folder.app())
  await small(1, 2)
  const { verified, keys, size } = await run()
  expect(verified).toBe(true)
  expect(keys.reduce((sum, { entries }) => sum + entries, 0)).toBe(size)
  expect(keys).toHaveLength(2)
})

test.each([
  ['revoked', 'revoked', 'ledger/key-revoked'],
  ['ended', 'until', 'ledger/key-expired'],
])('entries by a key that was %s before are named', async (_, word, code) => {
  await small(3)
  changeKey('gateway', (key, from) => [key, `\n    ${word}: ${from}`])
  expect(await run()).toMatchObject({ first: { code, index: 0 }, errors: 3 })
})

test('entries by a key that trust does not list are named', async () => {
  await small(3)
  const other = await openLedgerFolder()
  const theirs = listed('gateway').exec(readFileSync(join(other.root, 'waybill.yaml'), 'utf8'))
  other.remove()
  changeKey('gateway', () => [theirs?.[2] ?? '', ''])
  expect(await codes()).toEqual(['ledger/unknown-key'])
})

test('a log whose only key is revoked goes on under the next: init makes it, and records that it did', async () => {
  await small(2)
  await keyRevoke.run({ key: 'log', why: 'lost' }, folder.app())
  expect(await codes()).toEqual(['ledger/checkpoint-key-revoked'])
  await init.run({}, folder.app())
  expect(await codes()).toEqual([])
  expect(
    (await entriesOf(folder)).slice(2).map(({ statement }) => statement.predicate),
  ).toMatchObject([
    { change: 'revoked', holder: { kind: 'log' }, why: 'lost' },
    { change: 'created', holder: { kind: 'log' } },
  ])
  await small(1, 2)
  expect(await codes()).toEqual([])
})

test('the revocation of the only key of a log is the last thing that it signs, and each command says how to continue', async () => {
  await small(2)
  const key = listed('log').exec(readFileSync(join(folder.root, 'waybill.yaml'), 'utf8'))?.[2] ?? ''
  const output = await keyRevoke.run({ key: 'log', why: 'lost' }, folder.app())
  expect(output.orphaned).toBe(3)
  const said = text(output, (_, words) => words, folder.app(), false)
  expect(said).toMatch(
    /refused until waybill init re-signs its 3 entries .* waybill log verify --key/,
  )
  const verified = await run({ key: [key] })
  expect(verified).toMatchObject({ errors: 0, size: 3 })
  expect((await run()).first?.message).toMatch(/only the revoked key .* for 3 entries/)
  await expect(logShow.run({}, folder.app())).rejects.toMatchObject({
    code: 'configuration',
    message: expect.stringContaining('signed for the 3 entries of the log was revoked'),
    hint: expect.stringMatching(/waybill init: .* waybill log verify --key/),
  })
  const { items } = await doctor.run({}, folder.app())
  expect(items.filter(({ name }) => name === 'log')).toMatchObject([
    { status: 'warning', message: expect.stringContaining('its 3 entries') },
  ])
})

test('that the key of the gateway is revoked is the last that it signs', async () => {
  await small(2)
  expect(await keyRevoke.run({ key: 'gateway', why: 'lost' }, folder.app())).toMatchObject({
    orphaned: null,
  })
  expect(await run()).toMatchObject({ errors: 0, size: 3 })
  await init.run({}, folder.app())
  expect(await run()).toMatchObject({ errors: 0, size: 4 })
  const changes = (await entriesOf(folder)).slice(2).map(({ statement }) => statement.predicate)
  expect(changes).toMatchObject([{ change: 'revoked' }, { change: 'created' }])
})

test('a log that is at fault keeps no key in force', async () => {
  await small(2)
  writeFileSync(join(folder.root, '.waybill/ledger/checkpoint'), 'nothing')
  const revoked = keyRevoke.run({ key: 'log', why: 'lost' }, folder.app())
  await expect(revoked).rejects.toMatchObject({ code: 'ledger-tampered' })
  expect(readFileSync(join(folder.root, 'waybill.yaml'), 'utf8')).toContain('revoked: ')
})

test('a head that a revoked key has signed, and that the guards do not hold, is not gone on from', async () => {
  await small(1)
  const before = folder.read('checkpoint')
  await small(1, 1)
  await keyRevoke.run({ key: 'log', why: 'lost' }, folder.app())
  writeFileSync(join(folder.root, '.waybill/keys/checkpoint'), before)
  await expect(init.run({}, folder.app())).rejects.toMatchObject({ code: 'ledger-tampered' })
})

test('a missing guard is reported once by each writer, until it is written', async () => {
  await small(2)
  const stateHome = join(folder.root, 'state')
  const verify = async () =>
    (await logVerify.run({}, folder.app({ stateHome }))).faults.map(({ code }) => code)
  expect(await verify()).toEqual(['ledger/guard-absent'])
  const notices: string[] = []
  const app = () => folder.app({ stateHome, tell: (line: string) => void notices.push(line) })
  for (const holder of ['gateway', 'gateway']) await keyRotate.run({ holder }, app())
  expect(notices).toEqual([expect.stringContaining(`ledger/guard-absent: ${stateHome}`)])
  expect(await verify()).toEqual([])
})
