import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { encodeRun, HEADER_SIZE, RECORD_SIZE, type RecordSets } from './key-run.ts'
import { RunAudit } from './key-run-audit.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'waybill-run-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Records as entries have them: every third is of a key that all have, the others of keys that only one has. */
function recordsOf(count: number): Buffer {
  const records = Buffer.alloc(count * RECORD_SIZE)
  for (let at = 0; at < count; at++) {
    records.writeUInt32BE(at % 3 === 0 ? 7 : Math.imul(at, 0x9e3779b1) >>> 0, at * RECORD_SIZE)
    records.writeDoubleLE(at, at * RECORD_SIZE + 32)
  }
  return records
}

const PIECE = 1000 * RECORD_SIZE

/** Whether a file is what is expected of it for the records of some entries, which are given bit by bit. */
function isSame(bytes: Uint8Array, sets: RecordSets, to = 9): boolean | undefined {
  const file = join(folder, 'run')
  writeFileSync(file, bytes)
  const audit = RunAudit.open(file, 0, to)
  try {
    for (const set of [0, 1] as const)
      for (let at = 0; at < sets[set].length; at += PIECE)
        audit?.add(set, sets[set].subarray(at, at + PIECE))
    return audit?.isSame()
  } finally {
    audit?.close()
  }
}

test('a file that was taken away is not compared', () => {
  expect(RunAudit.open(join(folder, 'none'), 0, 1)).toBeUndefined()
})

test('a file that is read more than once, in parts, is the one that was written', () => {
  const sets = [recordsOf(1000), recordsOf(150_000)] as const
  const bytes = encodeRun(0, 9, sets)
  expect(isSame(bytes, sets)).toBe(true)
  // Of a bucket that is longer than what is held of the file, the last byte of all but the unlike ones.
  for (const at of [bytes.length - 1, bytes.length >> 1, bytes.length >> 2])
    expect(isSame(bytes.with(at, (bytes[at] ?? 0) ^ 1), sets)).toBe(false)
  expect(isSame(bytes, [sets[0], sets[1].subarray(0, -RECORD_SIZE)])).toBe(false)
})

test('one bit changed at any place makes it another file', () => {
  const sets = [recordsOf(2), recordsOf(18)] as const
  const bytes = encodeRun(0, 9, sets)
  expect(isSame(bytes, sets)).toBe(true)
  for (let at = 0; at < bytes.length; at++)
    expect(isSame(bytes.with(at, (bytes[at] ?? 0) ^ (1 << (at % 8))), sets)).toBe(false)
})

test.each([
  ['nothing', (bytes: Buffer) => bytes.subarray(0, 0)],
  ['half a header', (bytes: Buffer) => bytes.subarray(0, HEADER_SIZE / 2)],
  ['all but the last byte', (bytes: Buffer) => bytes.subarray(0, -1)],
  ['one byte more', (bytes: Buffer) => Buffer.concat([bytes, Buffer.of(0)])],
])('%s is another file', (_, change) => {
  const sets = [recordsOf(40), recordsOf(90)] as const
  expect(isSame(change(encodeRun(0, 9, sets)), sets)).toBe(false)
})

test('records that are missing, surplus or in another order are reported', () => {
  const sets = [recordsOf(40), recordsOf(90)] as const
  const bytes = encodeRun(0, 9, sets)
  const [first, second] = [sets[1].subarray(0, RECORD_SIZE), sets[1].subarray(120, 160)]
  const swapped = Buffer.concat([second, sets[1].subarray(40, 120), first, sets[1].subarray(160)])
  expect(isSame(bytes, [sets[0], sets[1].subarray(RECORD_SIZE)])).toBe(false)
  expect(isSame(bytes, [sets[0], Buffer.concat([sets[1], first])])).toBe(false)
  expect(isSame(bytes, [sets[0], swapped])).toBe(false)
  expect(isSame(bytes, [sets[1], sets[0]])).toBe(false)
  expect(isSame(bytes, sets, 10)).toBe(false)
})
