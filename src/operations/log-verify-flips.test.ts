import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LedgerFolder, openLedgerFolder, recordSmall } from '../../test/ledger-folder.ts'
import logErase from './log-erase.ts'
import logVerify from './log-verify.ts'

let folder: LedgerFolder
beforeAll(async () => {
  folder = await openLedgerFolder()
  folder.write('waybill.yaml', `people: claimed\n${folder.text('waybill.yaml')}`)
  // Each on its own, so that there are tiles and files of the index of several sizes.
  await folder.withGateway(gateway => recordSmall(gateway, 0))
  await folder.withGateway(gateway =>
    gateway.record('record', {
      subject: [{ name: 'a record', digest: { sha256: 'cd'.repeat(32) } }],
      ids: { record: 'cd'.repeat(32) },
      says: { type: 'note', record: { text: 'to be forgotten' } },
    }),
  )
  await logErase.run({ digest: '1', by: 'ada', why: 'a name' }, folder.app())
})
afterAll(() => folder.remove())

test('the log verifies as it is, and tells what was erased', async () => {
  const output = await logVerify.run({}, folder.app())
  expect(output).toMatchObject({
    verified: true,
    size: 3,
    faults: [],
    erased: [
      { index: 1, by: 'ada', reason: 'a name', recorded: 2, ids: { record: 'cd'.repeat(32) } },
    ],
  })
  expect(folder.files()).toEqual(
    expect.arrayContaining(['.state/tree', 'checkpoint', 'content/000', 'tile/entries/000.p/3']),
  )
})

test('one flipped bit at any place of any file is found', async () => {
  const unseen: string[] = []
  let places = 0
  for (const file of folder.files()) {
    const path = join(folder.ledger, file)
    const bytes = folder.read(file)
    for (const [at, byte] of bytes.entries()) {
      places++
      writeFileSync(path, bytes.with(at, byte ^ (1 << (at % 8))))
      const { verified } = await logVerify.run({}, folder.app())
      if (verified) unseen.push(`${file} ${at}`)
    }
    writeFileSync(path, bytes)
  }
  expect(unseen).toEqual([])
  expect(places).toBeGreaterThan(5000)
}, 600_000)
