import { describe, expect, test } from 'vitest'
import type { VerifySignature } from '../src/ledger/envelope.ts'
import { leafHash } from '../src/ledger/hash.ts'
import type { Log, LogReader, Taken } from '../src/ledger/log.ts'
import { keyOf, type NoteSignature, parseNote } from '../src/ledger/note.ts'
import { consistencyProof, inclusionProof, isConsistent, isIncluded } from '../src/ledger/proofs.ts'
import { type Receipt, verifyReceipt } from '../src/ledger/receipt.ts'
import { decodeBundle, TILE_WIDTH } from '../src/ledger/tile.ts'
import { type Create, testDeciding } from './log-deciding.ts'
import { comesTrue } from './processes.ts'
import { draftOf, keysOf, ORIGIN, sha256, tombstoneOf } from './test-log.ts'

/** One log of a storage, which can be opened again and again. */
export interface LogUnderTest {
  open(now?: () => number): Promise<Log>
  openReader(more?: { readonly isPromisedRead: true }): LogReader
  readonly byGateway: VerifySignature
}

/** What a log does, whatever it is stored in. */
export function logSuite(name: string, create: () => LogUnderTest): void {
  describe(name, () => {
    testAppending(create)
    testDeciding(create)
    testRefusing(create)
    testFinding(create)
    testProving(create)
    testErasing(create)
    testCosigning(create)
    testTime(create)
  })
}

/** Appends entries at once, and gives their receipts. */
export async function appendAll(log: Log, ids: readonly string[]): Promise<Receipt[]> {
  const answers = await Promise.all(ids.map(id => log.append(draftOf(id))))
  return answers.map(receiptOf)
}

/** An answer that must be a receipt. */
export function receiptOf(answer: Receipt | Taken): Receipt {
  if ('taken' in answer) throw new Error(`${answer.taken} is taken`)
  return answer
}

/** Names for entries: `a-0`, `a-1` and so on. */
export const idsOf = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, i) => `${prefix}-${i}`)

function testAppending(create: Create): void {
  test('what is appended gets the next index and a receipt that the promise proves', async () => {
    const subject = create()
    const log = await subject.open()
    const receipts = await appendAll(log, idsOf('a', 10))
    receipts.push(...(await appendAll(log, ['b'])))
    expect(receipts.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    for (const receipt of receipts)
      expect(await verifyReceipt(sha256, receipt, subject.byGateway)).toBe(true)
    expect(receipts[10]).toMatchObject({
      digest: keysOf(draftOf('b').content).digest,
      leaf: Buffer.from(leafHash(sha256, draftOf('b').leaf)).toString('hex'),
    })
    await log.close()
  })

  test('everything stands under a checkpoint when that was waited for, and is there when opened again', async () => {
    const subject = create()
    const log = await subject.open()
    await appendAll(log, idsOf('a', 300))
    const { checkpoint } = await log.covered()
    expect(checkpoint).toMatchObject({ origin: ORIGIN, size: 300 })
    await log.close()
    const again = await subject.open()
    expect(await again.size()).toBe(300)
    expect(await again.content(299)).toBe(draftOf('a-299').content)
    expect((await appendAll(again, ['b']))[0]?.index).toBe(300)
    await again.close()
    expect(await subject.openReader().content(300)).toBe(draftOf('b').content)
    expect(await subject.openReader().content(301)).toBeUndefined()
  })

  test('a log without entries has a checkpoint when one is waited for', async () => {
    const log = await create().open()
    expect(await log.checkpoint()).toBeUndefined()
    expect((await log.covered()).checkpoint.size).toBe(0)
    expect(await log.size()).toBe(0)
    await log.close()
  })

  test('what is promised stands under a checkpoint within a second, without being waited for', async () => {
    const subject = create()
    const log = await subject.open()
    await appendAll(log, ['a'])
    const reader = subject.openReader()
    expect(await comesTrue(async () => (await reader.size()) === 1)).toBe(true)
    await log.close()
  })
}

function testRefusing(create: Create): void {
  test('nothing is appended to a log that was closed', async () => {
    const log = await create().open()
    await appendAll(log, ['a'])
    await log.close()
    await expect(log.append(draftOf('b'))).rejects.toThrow('closed')
  })

  test.each([
    ['a leaf that is too long', { leaf: new Uint8Array(65_536) }],
    ['content of two lines', { content: 'a\nb' }],
    ['a digest that is none', { digest: 'abc' }],
    ['a key of two lines', { keys: { unique: ['a\nb'], also: [] } }],
  ])('%s is refused', async (_, part) => {
    const log = await create().open()
    await expect(log.append({ ...draftOf('a'), ...part })).rejects.toThrow()
    await log.close()
    expect(await log.size()).toBe(0)
  })
}

function testFinding(create: Create): void {
  test('an entry is found by its keys: promised, published, and after opening again', async () => {
    const subject = create()
    const log = await subject.open()
    await appendAll(log, idsOf('a', 5))
    expect(await log.find('id:a-3')).toEqual([3])
    expect(await log.content(3)).toBe(draftOf('a-3').content)
    await log.covered()
    await appendAll(log, idsOf('b', 300))
    expect(await log.find('kind:even')).toEqual(Array.from({ length: 305 }, (_, i) => i))
    const early = subject.openReader({ isPromisedRead: true })
    expect(await early.content(Number(await early.find('id:b-200')))).toBe(draftOf('b-200').content)
    await log.close()
    for (const reader of [early, subject.openReader(), await subject.open()]) {
      expect(await reader.find('id:b-200')).toEqual([205])
      expect(await reader.find('kind:even')).toHaveLength(305)
      expect(await reader.find('id:c')).toEqual([])
    }
  })

  test('of entries with one unique key the first is kept, however and whenever the others come', async () => {
    const subject = create()
    const log = await subject.open()
    const first = { taken: 'id:a', index: 0, digest: keysOf(draftOf('a').content).digest }
    const [one, two] = await Promise.all([
      log.append(draftOf('a')),
      log.append(draftOf('a', 'odd')),
    ])
    expect([receiptOf(one).index, two]).toEqual([0, first])
    expect(await log.append(draftOf('a'))).toEqual(first)
    await log.covered()
    expect(await log.append(draftOf('a'))).toEqual(first)
    await log.close()
    const again = await subject.open()
    expect(await again.append(draftOf('a'))).toEqual(first)
    expect((await appendAll(again, ['b']))[0]?.index).toBe(1)
    await again.close()
    expect(await subject.openReader().size()).toBe(2)
  })
}

function testProving(create: Create): void {
  test('every entry is proved against every checkpoint, and each checkpoint continues the one before', async () => {
    const log = await create().open()
    const checkpoints = []
    for (const [i, count] of [1, 5, 250, 1, 300].entries()) {
      await appendAll(log, idsOf(`${i}`, count))
      checkpoints.push((await log.covered()).checkpoint)
    }
    const read = (tile: Parameters<typeof log.tile>[0]) => log.tile(tile)
    const [last] = checkpoints.slice(-1)
    if (!last) throw new Error('there is none')
    for (const index of [0, 5, 6, 255, 256, 257, 556]) {
      const bundle = { level: 'entries', index: Math.floor(index / TILE_WIDTH) } as const
      const width = Math.min(TILE_WIDTH, last.size - bundle.index * TILE_WIDTH)
      const entry = decodeBundle(await log.tile({ ...bundle, width }))?.[index % TILE_WIDTH]
      const leaf = leafHash(sha256, entry ?? new Uint8Array())
      const proof = await inclusionProof(sha256, last.size, index, read)
      expect(isIncluded(sha256, { index, size: last.size, leaf, proof, root: last.root })).toBe(
        true,
      )
    }
    for (const { size: first, root: firstRoot } of checkpoints) {
      const proof = await consistencyProof(sha256, first, last.size, read)
      const claim = { first, second: last.size, firstRoot, secondRoot: last.root, proof }
      expect(isConsistent(sha256, claim)).toBe(true)
    }
    await log.close()
  })
}

function testErasing(create: Create): void {
  test('a tombstone takes the place of a content, for good, and the tree stays as it is', async () => {
    const subject = create()
    const log = await subject.open()
    await appendAll(log, idsOf('a', 3))
    const before = await log.covered()
    await appendAll(log, ['b'])
    await log.erase(3, tombstoneOf('b'))
    await log.erase(1, tombstoneOf('a-1'))
    expect(await log.content(1)).toBe(tombstoneOf('a-1'))
    await appendAll(log, idsOf('c', 300))
    await log.close()
    const reader = subject.openReader()
    const contents = await Promise.all([0, 1, 2, 3, 4].map(index => reader.content(index)))
    const texts = [draftOf('a-0').content, tombstoneOf('a-1'), draftOf('a-2').content]
    expect(contents).toEqual([...texts, tombstoneOf('b'), draftOf('c-0').content])
    expect(await reader.find('id:a-1')).toEqual([1])
    const { checkpoint } = (await reader.checkpoint()) ?? before
    const proof = await consistencyProof(sha256, 3, checkpoint.size, tile => reader.tile(tile))
    const claim = { first: 3, second: checkpoint.size, secondRoot: checkpoint.root, proof }
    expect(isConsistent(sha256, { ...claim, firstRoot: before.checkpoint.root })).toBe(true)
    const again = await subject.open()
    expect(await again.append(draftOf('b'))).toMatchObject({ taken: 'id:b', index: 3 })
    await again.close()
  })

  test('an entry that is not there cannot be erased', async () => {
    const log = await create().open()
    await appendAll(log, ['a'])
    await expect(log.erase(1, tombstoneOf('b'))).rejects.toMatchObject({ code: 'not-found' })
    await expect(log.erase(0, 'a\nb')).rejects.toThrow()
    await log.close()
  })
}

/** The signed checkpoint of a log, as a note. */
async function noteOf(log: LogReader) {
  const note = parseNote((await log.checkpoint())?.note ?? '')
  if ('fault' in note) throw new Error(note.fault)
  return note
}

function testCosigning(create: Create): void {
  const by = (name: string, byte: number): NoteSignature => ({
    ...{ name, id: '0badcafe' },
    bytes: new Uint8Array(72).fill(byte),
  })
  const keysOfNote = async (log: LogReader) => (await noteOf(log)).signatures.map(keyOf)

  test('cosignatures stand under the checkpoint until the log grows, one of each key', async () => {
    const subject = create()
    const log = await subject.open()
    await appendAll(log, ['a'])
    await log.covered()
    const { text, signatures } = await noteOf(log)
    const own = signatures.map(keyOf)
    await log.cosign(text, [by('w1', 1), by('w2', 1)])
    const cosigned = await log.cosign(text, [by('w1', 2)])
    expect(await keysOfNote(log)).toEqual([...own, 'w2+0badcafe', 'w1+0badcafe'])
    expect((await log.checkpoint())?.note).toBe(cosigned?.note)
    await log.close()
    // The next process that opens it neither takes them away nor takes them for a change.
    const again = await subject.open()
    await again.covered()
    expect((await noteOf(subject.openReader())).signatures.at(-1)?.bytes[0]).toBe(2)
    await appendAll(again, ['b'])
    await again.close()
    expect(await keysOfNote(subject.openReader())).toEqual(own)
  })

  test('what is for another checkpoint is not added, nor what would replace the signature of the log', async () => {
    const subject = create()
    const log = await subject.open()
    await appendAll(log, ['a'])
    await log.covered()
    const before = await noteOf(log)
    await appendAll(log, ['b'])
    await log.covered()
    expect(await log.cosign(before.text, [by('w1', 1)])).toBeUndefined()
    const { text, signatures } = await noteOf(log)
    const forged = signatures.map(one => ({ ...one, bytes: new Uint8Array(72) }))
    await log.cosign(text, forged)
    expect((await noteOf(log)).signatures).toEqual(signatures)
    await log.close()
  })
}

function testTime(create: Create): void {
  test('gateway time never goes back, though the clock does, and remembers what the clocks said', async () => {
    const subject = create()
    const log = await subject.open(() => 2000)
    expect(await log.lastClock()).toBeUndefined()
    expect([log.time(1000), log.time(5000), log.time(3000)]).toEqual([1000, 5000, 5000])
    await appendAll(log, ['a'])
    expect(await log.lastClock()).toMatchObject({ time: 5000, wall: 2000 })
    await log.close()
    const again = await subject.open(() => 7000)
    expect(again.time(10)).toBe(5000)
    const [receipt] = await appendAll(again, ['b'])
    expect(again.time(6000)).toBe(7000)
    expect(Buffer.from(receipt?.promise.payload ?? '', 'base64').toString()).toContain(
      '"time":7000',
    )
    await again.close()
    const clock = await subject.openReader().lastClock()
    expect(clock).toMatchObject({ time: 7000, wall: 7000 })
    expect(clock?.uptime).toBeGreaterThan(0)
  })
}
