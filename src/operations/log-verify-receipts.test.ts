import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ANALYSIS, DESK, openPair, type Pair } from '../../test/governed-pair.ts'
import { text } from '../cli/render/log-verify.ts'
import logCheckpoint from './log-checkpoint.ts'
import logVerify from './log-verify.ts'

const OTHER = '550e8400-e29b-41d4-a716-446655440000'
const plain = (_: string, words: string) => words

let pair: Pair
let receiptFile: string
beforeAll(async () => {
  pair = await openPair()
  receiptFile = (await pair.receive(await pair.bring())).receiptFile ?? ''
})
afterAll(() => pair.remove())

describe('the holder of a receipt', () => {
  const run = (given: Parameters<typeof logVerify.run>[0]) =>
    logVerify.run(given, pair.receiver.app())

  test('keeps the promise of a receipt', async () => {
    const { receipts, verified } = await run({ receipt: [receiptFile] })
    expect({ receipts, verified }).toMatchObject({
      verified: true,
      receipts: [{ index: 0, state: 'kept', kind: 'handoff-accepted' }],
    })
  })

  test('keeps it also in a file without its plain words', async () => {
    const { receipt, entry } = JSON.parse(
      readFileSync(join(pair.receiver.root, receiptFile), 'utf8'),
    )
    for (const [value, kind] of [
      [receipt, null],
      [{ receipt }, null],
      [{ receipt, entry }, 'handoff-accepted'],
    ]) {
      pair.receiver.write('bare.receipt.json', JSON.stringify(value))
      const { receipts } = await run({ receipt: ['bare.receipt.json'] })
      expect(receipts).toMatchObject([{ index: 0, state: 'kept', kind }])
    }
  })

  test.each([
    ['that is none', () => 'x', 'ledger/receipt-malformed'],
    [
      'of which a part was changed',
      (says: string) => says.replace('"index": 0', '"index": 1'),
      'ledger/receipt-malformed',
    ],
    [
      'whose signature is that of something else',
      (says: string) => {
        const value = JSON.parse(says)
        value.receipt.promise.signatures[0].sig = value.entry.signatures[0].sig
        return JSON.stringify(value)
      },
      'ledger/receipt-untrusted',
    ],
    [
      'that holds another entry',
      (says: string) => {
        const value = JSON.parse(says)
        const payload = Buffer.from(value.entry.payload, 'base64').toString()
        value.entry.payload = Buffer.from(payload.replace(ANALYSIS, DESK)).toString('base64')
        return JSON.stringify(value)
      },
      'ledger/receipt-malformed',
    ],
    [
      'whose answer is another in plain words',
      (says: string) => says.replace('"answer": "accepted"', '"answer": "needs-input"'),
      'ledger/receipt-malformed',
    ],
    [
      'whose handoff is another in plain words',
      (says: string) => says.replace(/("handoff": ")[^"]+/, `$1${OTHER}`),
      'ledger/receipt-malformed',
    ],
    [
      'whose log is another in plain words',
      (says: string) => says.replace(/("origin": ")[^"]+/, '$1example.org/other'),
      'ledger/receipt-malformed',
    ],
    [
      'whose answer nothing shows',
      (says: string) => {
        const { entry: _, ...rest } = JSON.parse(says)
        return JSON.stringify(rest)
      },
      'ledger/receipt-malformed',
    ],
    [
      'that states something else as well',
      (says: string) => says.replace('{', '{ "status": "accepted",'),
      'ledger/receipt-malformed',
    ],
    [
      'that tells its answer twice',
      (says: string) => says.replace('{', '{ "answer": "rejected",'),
      'ledger/receipt-malformed',
    ],
    [
      'that tells its place twice',
      (says: string) => says.replace('"index": 0', '"index": 1, "index": 0'),
      'ledger/receipt-malformed',
    ],
  ])('tells of a receipt %s', async (_, change, code) => {
    const says = readFileSync(join(pair.receiver.root, receiptFile), 'utf8')
    pair.receiver.write('other.receipt.json', change(says))
    const output = await run({ receipt: ['other.receipt.json'] })
    expect(output).toMatchObject({ verified: false, first: { code } })
    // The log is not at fault.
    expect(text(output, plain, pair.receiver.app(), false)).toContain(
      `✗ the receipt is not from ${output.origin}`,
    )
  })
})

describe('the sender of the handoff verifies the receipt without the log', () => {
  const brought = () => join(pair.receiver.root, receiptFile)
  const promised = () => ({ state: 'promised', index: 0, kind: 'handoff-accepted' })

  test('by the key of its gateway alone', async () => {
    const { gateway, origin } = await logCheckpoint.run({}, pair.receiver.app())
    const given = { key: gateway, receipt: [brought(), brought()] }
    const output = await logVerify.run(given, pair.sender.app())
    expect(output).toMatchObject({ verified: true, ledger: null, size: null })
    expect(output.receipts).toMatchObject([promised(), promised()])
    const said = text(output, plain, pair.sender.app(), false)
    expect(said).toContain('✓ 2 promises verified, without a log')
    expect(said).toContain(`promised by ${origin}: entry 0 (handoff-accepted)`)
  })

  test('with its own log, once it lists the gateway, and not before', async () => {
    const { gateway, origin } = await logCheckpoint.run({}, pair.receiver.app())
    const before = readFileSync(join(pair.sender.root, 'waybill.yaml'), 'utf8')
    const unlisted = await logVerify.run({ receipt: [brought()] }, pair.sender.app())
    expect(unlisted).toMatchObject({ verified: false, receipts: [], errors: 1 })
    expect(unlisted.first).toMatchObject({ code: 'ledger/receipt-untrusted' })
    const key = `  - gateway: ${origin}\n    key: ${gateway[0]}\n    from: 2020-01-01T00:00:00Z\n`
    pair.sender.write(
      'waybill.yaml',
      before.replace(/^trust:\n/m, words => words + key),
    )
    const listed = await logVerify.run({ receipt: [brought()] }, pair.sender.app())
    pair.sender.write('waybill.yaml', before)
    expect(listed).toMatchObject({
      verified: true,
      ledger: '.waybill/ledger',
      receipts: [promised()],
    })
  })

  test.each([
    ['the key of another gateway', (says: string) => says, 'ledger/receipt-untrusted'],
    [
      'another entry next to it',
      (says: string) => says.replace(/("payload": ")e/, '$1f'),
      'ledger/receipt-malformed',
    ],
  ])('and not by %s', async (what, change, code) => {
    const from = what.startsWith('the key') ? pair.sender : pair.receiver
    const { gateway } = await logCheckpoint.run({}, from.app())
    pair.sender.write('r.receipt.json', change(readFileSync(brought(), 'utf8')))
    const given = { key: gateway, receipt: ['r.receipt.json'] }
    const output = await logVerify.run(given, pair.sender.app())
    expect(output).toMatchObject({ verified: false, receipts: [], first: { code } })
  })
})
