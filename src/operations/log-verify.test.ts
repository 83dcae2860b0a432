import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openPair, type Pair } from '../../test/governed-pair.ts'
import { type LedgerFolder, openLedgerFolder, recordSmall } from '../../test/ledger-folder.ts'
import { text } from '../cli/render/log-verify.ts'
import { formatInstant } from '../document/index.ts'
import { draftEntry } from '../governance/entries/entry.ts'
import { type Gateway, KINDS, type LogAudit } from '../governance/index.ts'
import logCheckpoint from './log-checkpoint.ts'
import { outputOf } from './log-verify/report.ts'
import logVerify from './log-verify.ts'

const plain = (_: string, words: string) => words

/** What is found about a log in which nothing is wrong. */
const SOUND: LogAudit = {
  ...{ origin: 'example.org/log', size: 0, root: '00', signers: [], keys: [], kinds: {} },
  ...{ since: undefined, until: undefined, erased: [], pending: 0, guards: [] },
  ...{ voices: undefined, witnessed: undefined, receipts: [], faults: [], errors: 0, warnings: 0 },
}

describe('the log of an installation that receives', () => {
  let pair: Pair
  beforeAll(async () => {
    pair = await openPair('people: claimed\n')
    await pair.receive(await pair.bring())
    const path = await pair.bring()
    writeFileSync(join(pair.receiver.root, path), '{}')
    await pair.receive(path)
  })
  afterAll(() => pair.remove())
  const run = (given: Parameters<typeof logVerify.run>[0] = {}) =>
    logVerify.run(given, pair.receiver.app())

  test('verifies, and is reported in figures', async () => {
    const output = await run()
    expect(output).toMatchObject({
      verified: true,
      size: 2,
      counts: { entries: 2, accepted: 1, rejected: 1, erased: 0, pending: 0 },
      guards: [{ file: '.waybill/keys/checkpoint', size: 2 }],
      first: null,
      faults: [],
    })
    expect(logVerify.failed?.(output)).toBe(false)
  })

  test('verifies elsewhere, with nothing but a copy and the keys', async () => {
    const { keys, gateway } = await logCheckpoint.run({}, pair.receiver.app())
    const elsewhere = { ...pair.receiver.app(), root: '/', cwd: '/' }
    const ledger = join(pair.receiver.root, '.waybill/ledger')
    const whole = await logVerify.run({ ledger, key: [...keys, ...gateway] }, elsewhere)
    expect(whole).toMatchObject({ verified: true, size: 2, warnings: 0 })
    const lone = await logVerify.run({ ledger, key: keys }, elsewhere)
    expect(lone).toMatchObject({ verified: true, keys: [{ holder: null, entries: 2 }] })
    expect(text(lone, plain, elsewhere, false)).toContain('unknown key: pass it with --key')
  })

  test.each([
    ['a word that is no key', ['abc'], 'usage'],
    ['keys of which none is a log’s', [], 'configuration'],
  ])('with %s nothing is verified', async (_, key, code) => {
    const ledger = join(pair.receiver.root, '.waybill/ledger')
    const elsewhere = { ...pair.receiver.app(), root: '/', cwd: '/' }
    await expect(logVerify.run({ ledger, key }, elsewhere)).rejects.toMatchObject({ code })
  })

  test.each([
    [
      1,
      '1 sent, 1 accepted, 1 needing input, 1 rejected, 1 security event, 1 reconciliation, 1 approval, 1 human answer, 1 write-back decision, 1 write-back outcome, 1 record, 1 key change, 1 clock jump, 1 erasure record',
    ],
    [
      2,
      '2 sent, 2 accepted, 2 needing input, 2 rejected, 2 security events, 2 reconciliations, 2 approvals, 2 human answers, 2 write-back decisions, 2 write-back outcomes, 2 records, 2 key changes, 2 clock jumps, 2 erasure records',
    ],
  ])('names every kind, and counts %i of it as people do', (count, figures) => {
    const kinds = Object.fromEntries(KINDS.map(kind => [kind, count]))
    const output = outputOf(
      { ...SOUND, kinds },
      { ledger: '.', quick: false, senders: false, root: '/' },
    )
    const said = text(output, plain, pair.receiver.app(), false)
    expect(said.split('\n')[1]).toBe(`  ${figures}`)
  })

  test('is reported to people in a few lines', async () => {
    const said = text(await run(), plain, pair.receiver.app(), false)
      .replaceAll(/[0-9a-f]{64}/g, '<root>')
      .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<uuid>')
      .replaceAll(/\+[0-9a-f]{8}/g, '+<id>')
      .replaceAll(/with [0-9a-f]{12}/g, 'with <key>')
      .replaceAll(/[0-9-]+T[0-9:.]+Z/g, '<time>')
    expect(said).toBe(
      [
        '✓ 2 entries of urn:waybill:log:<uuid> verified',
        '  1 accepted, 1 rejected',
        '  from <time> to <time>',
        '  root <root>, signed by urn:waybill:log:<uuid>+<id>',
        '  2 entries signed with <key> (gateway urn:waybill:log:<uuid>)',
        '  agrees with .waybill/keys/checkpoint, signed for 2 entries',
      ].join('\n'),
    )
  })
})

describe('what needs the keys of the gateway', () => {
  let folder: LedgerFolder
  beforeEach(async () => {
    folder = await openLedgerFolder()
    return () => folder.remove()
  })
  const run = () => logVerify.run({}, folder.app())

  function forge(gateway: Gateway, ids: Readonly<Record<string, string>>, at: number) {
    const { origin, keys } = gateway
    const signer = keys.signer('gateway', origin, Date.now())
    if (!signer) throw new Error('the gateway has a key')
    const says = { bytes: '', attestation: null, found: [], document: null, envelope: null }
    const subject = [{ name: 'x', digest: { sha256: 'ab'.repeat(32) } }]
    const predicate = { ...says, at: formatInstant(at), ids, agents: [] }
    return draftEntry('handoff-accepted', { subject, predicate }, signer)
  }

  test('an id that was accepted twice is named, with both entries', async () => {
    await folder.withGateway(async gateway => {
      await gateway.log.append(forge(gateway, { handoff: 'h-1' }, Date.now()))
      await recordSmall(gateway, 1)
      const second = forge(gateway, { handoff: 'h-1' }, Date.now() + 1)
      const hidden = { unique: [], also: second.keys.also }
      expect(await gateway.log.append({ ...second, keys: hidden })).toMatchObject({ index: 2 })
    })
    const { faults } = await run()
    expect(faults.map(({ code }) => code)).toEqual(['ledger/index-differs', 'ledger/duplicate-key'])
    // With an index that hides nothing, too.
    rmSync(join(folder.ledger, '.state/keys'), { recursive: true })
    await folder.withGateway(gateway => recordSmall(gateway, 2))
    expect(await run()).toMatchObject({
      errors: 1,
      first: {
        code: 'ledger/duplicate-key',
        index: 2,
        message: "'accepted:h-1' is already used by entry 0",
      },
    })
  })

  test('an entry that is dated back is named', async () => {
    await folder.withGateway(async gateway => {
      await recordSmall(gateway, 1)
      const at = Date.now() - 3_600_000
      // Before the key counted, it would be refused for that.
      await gateway.log.append(forge(gateway, { handoff: 'h-1' }, at))
    })
    const { faults } = await run()
    expect(faults.map(({ code }) => code)).toEqual(['ledger/key-not-yet-valid'])
  })

  test('one that is dated ahead makes those after it dated back', async () => {
    await folder.withGateway(async gateway => {
      await gateway.log.append(forge(gateway, { handoff: 'h-1' }, Date.now() + 3_600_000))
      await recordSmall(gateway, 1)
    })
    expect(await run()).toMatchObject({
      errors: 1,
      first: { code: 'ledger/time-backwards', index: 1 },
    })
  })

  test('the times of two that write at once never go backwards', async () => {
    const record = async (from: number) => {
      await folder.withGateway(async gateway => {
        for (let number = from; number < from + 12; number++) {
          // So that each has some that were asked for while the other one writes.
          const some = [0, 1, 2].map(more => recordSmall(gateway, 10 * number + more))
          await new Promise(resolve => setTimeout(resolve, 20))
          await Promise.all(some)
        }
      })
    }
    await Promise.all([record(0), record(100)])
    const { faults, size } = await run()
    expect(size).toBe(72)
    expect(faults).toEqual([])
  })

  test('two threads find what one finds', async () => {
    await folder.withGateway(async gateway => {
      for (let first = 0; first < 5000; first += 1000)
        await Promise.all(Array.from({ length: 1000 }, (_, at) => recordSmall(gateway, first + at)))
    })
    const file = join(folder.ledger, 'content/018')
    const lines = readFileSync(file, 'utf8').split('\n')
    lines[7] = lines[8] ?? ''
    writeFileSync(file, lines.join('\n'))
    const alone = await run()
    const seen: number[] = []
    const helped = await logVerify.run(
      {},
      folder.app({
        worker: () => new URL('../governance/audit/worker.ts', import.meta.url),
        progress: done => seen.push(done),
      }),
    )
    expect(alone).toMatchObject({ errors: 1, first: { index: 18 * 256 + 7 } })
    expect(helped).toEqual(alone)
    expect(seen).toEqual([...seen].sort((a, b) => a - b))
    expect(seen.at(-1)).toBe(5000)
  })
})
