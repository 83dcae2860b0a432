import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type LedgerFolder, openLedgerFolder } from '../../../test/ledger-folder.ts'
import logVerify from '../../operations/log-verify.ts'
import { keysOf } from '../entries/entry.ts'
import { formatTombstone } from '../entries/tombstone.ts'

const program = join(import.meta.dirname, '../../cli/waybill.ts')
/** More than one file holds: the last is read when the first was. */
const SIZE = 257

let folder: LedgerFolder
beforeEach(async () => {
  folder = await openLedgerFolder()
  folder.write('waybill.yaml', `people: claimed\n${folder.text('waybill.yaml')}`)
  await folder.withGateway(gateway =>
    Promise.all(
      Array.from({ length: SIZE }, (_, at) => {
        const sha256 = at.toString(16).padStart(64, '0')
        const subject = [{ name: 'a record', digest: { sha256 } }]
        const says = { type: 'note', record: {} }
        return gateway.record('record', { subject, ids: { record: sha256 }, says })
      }),
    ),
  )
})
afterEach(() => folder.remove())

/** Verifies the log, and does something else when its first entries were read. */
function verifyWhile(work: () => void) {
  let isDone = false
  const progress = () => {
    if (!isDone) work()
    isDone = true
  }
  return logVerify.run({}, { ...folder.app({ now: Date.now() }), progress })
}

test('what another process erases while the log is verified counts as erased', async () => {
  const args = [program, 'log', 'erase', String(SIZE - 1), '--by', 'ada', '--why', 'a name']
  const { verified, faults, erased } = await verifyWhile(() =>
    execFileSync(process.execPath, [...args, '--root', folder.root], { stdio: 'ignore' }),
  )
  expect(faults.filter(({ severity }) => severity === 'error')).toEqual([])
  expect({ verified, erased }).toMatchObject({
    verified: true,
    erased: [{ index: SIZE - 1, by: 'ada', recorded: SIZE }],
  })
})

test('what is taken away meanwhile without such an entry does not', async () => {
  const file = join(folder.ledger, 'content/001')
  const { faults } = await verifyWhile(() => {
    const { digest, keys } = keysOf(readFileSync(file, 'utf8').trimEnd())
    const tombstone = { digest, ids: {}, keys, reason: 'a name', by: 'ada', at: 'now' }
    writeFileSync(file, `${formatTombstone(tombstone)}\n`)
  })
  const errors = faults.filter(({ severity }) => severity === 'error')
  expect(errors.map(({ code }) => code)).toEqual(['ledger/erasure-unrecorded'])
})
