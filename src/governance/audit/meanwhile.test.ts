import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type LedgerFolder, openLedgerFolder } from '../../../test/ledger-folder.ts'
import { PROGRAM } from '../../../test/program.ts'
import logExport from '../../operations/log-export.ts'
import logVerify from '../../operations/log-verify.ts'
import { keysOf } from '../entries/entry.ts'
import { formatTombstone } from '../entries/tombstone.ts'

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

/** Does something else when the first entries of the log were read. */
function appWhile(work: () => void) {
  let isDone = false
  const progress = () => {
    if (!isDone) work()
    isDone = true
  }
  return folder.app({ now: Date.now(), progress })
}

const eraseLast = () => {
  const args = [PROGRAM, 'log', 'erase', String(SIZE - 1), '--by', 'ada', '--why', 'a name']
  execFileSync(process.execPath, [...args, '--root', folder.root], { stdio: 'ignore' })
}

test('what another process erases while the log is verified counts as erased', async () => {
  const { verified, faults, erased } = await logVerify.run({}, appWhile(eraseLast))
  expect(faults.filter(({ severity }) => severity === 'error')).toEqual([])
  expect({ verified, erased }).toMatchObject({
    verified: true,
    erased: [{ index: SIZE - 1, by: 'ada', recorded: SIZE }],
  })
})

test('what is erased while the files of the log are written is there with the entry that records it', async () => {
  await logExport.run({ files: 'copy' }, appWhile(eraseLast))
  const ledger = join(folder.root, 'copy')
  expect(await logVerify.run({ ledger }, folder.app({ now: Date.now() }))).toMatchObject({
    verified: true,
    size: SIZE + 1,
    erased: [{ index: SIZE - 1, recorded: SIZE }],
  })
})

test('what is taken away meanwhile without such an entry does not', async () => {
  const file = join(folder.ledger, 'content/001')
  const app = appWhile(() => {
    const { digest, keys } = keysOf(readFileSync(file, 'utf8').trimEnd())
    const tombstone = { digest, ids: {}, keys, reason: 'a name', by: 'ada', at: 'now' }
    writeFileSync(file, `${formatTombstone(tombstone)}\n`)
  })
  const { faults } = await logVerify.run({}, app)
  const errors = faults.filter(({ severity }) => severity === 'error')
  expect(errors.map(({ code }) => code)).toEqual(['ledger/erasure-unrecorded'])
})
