import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { expectWhole, type Written } from '../../../test/log-process.ts'
import { openTestFolder, type TestFolder } from '../../../test/test-folder.ts'
import { draftOf, testLog } from '../../../test/test-log.ts'
import { readClocks } from './clocks.ts'
import { FrameEncoder, HEADER_SIZE } from './frame.ts'
import { auditState } from './state-audit.ts'
import { readFrames } from './wal.ts'
import { WalWriter } from './wal-writer.ts'

let home: TestFolder
beforeEach(() => {
  home = openTestFolder()
  testLog(home.root)
  mkdirSync(join(home.root, 'ledger/.state/wal'), { recursive: true })
})
afterEach(() => home.remove())

const COUNT = 20
const segment = () => ({ file: join(home.root, 'ledger/.state/wal/0'), first: 0 })

/** Writes records as one caller does who is alone, and leaves the segment as a process that is killed does. */
async function leaveRoom(): Promise<{ promised: Written['promised']; bytes: Buffer; end: number }> {
  const promised = await write(new WalWriter(join(home.root, 'ledger/.state/wal')))
  const bytes = readFileSync(segment().file)
  return { promised, bytes, end: bytes.findLastIndex(byte => byte !== 0) + 1 }
}

async function write(writer: WalWriter): Promise<Written['promised']> {
  const frames = new FrameEncoder()
  const ids = Array.from({ length: COUNT }, (_, i) => [i, `a-${i}`] as const)
  for (const [i, id] of ids) {
    const clock = { ...readClocks(), time: 1 + i, wall: 1 + i }
    await writer.append(i, frames.encode(i, clock, [draftOf(id, 'even', 900)]), true)
  }
  return ids
}

/** How many records there are, or why they are refused. */
function countRecords(bytes: Uint8Array): number | string {
  writeFileSync(segment().file, bytes)
  try {
    return [...readFrames(segment(), true)].length
  } catch (error) {
    return (error as { code: string }).code
  }
}

async function found(): Promise<string[]> {
  const { folder, options } = testLog(home.root)
  const findings: string[] = []
  for await (const one of auditState(folder, { origin: options.origin, size: 0 }))
    findings.push(one.found)
  return findings
}

test('a single writer finds room laid out, which a crash leaves behind and no reader takes for a record', async () => {
  const { promised, bytes, end } = await leaveRoom()
  expect(bytes.length - end).toBeGreaterThan(100_000)
  expect(await found()).not.toContain('ledger/write-ahead-torn')
  expect(await expectWhole(home.root, promised)).toBe(promised.length + 1)
})

test('a segment that is ended has no room left', async () => {
  const writer = new WalWriter(join(home.root, 'ledger/.state/wal'))
  await write(writer)
  const { size } = statSync(segment().file)
  expect(writer.rotate()).toEqual(segment())
  expect(statSync(segment().file).size).toBeLessThan(size - 100_000)
  expect([...readFrames(segment(), false)]).toHaveLength(COUNT)
})

test('a record in laid out room of which a sector never reached the disk was not promised', async () => {
  const { bytes, end } = await leaveRoom()
  const starts = recordsIn(bytes.subarray(0, end))
  // The head of one at least stands in two sectors.
  expect(starts.some(start => start % 512 > 512 - HEADER_SIZE)).toBe(true)
  for (const [i, start] of starts.entries()) {
    const next = starts[i + 1] ?? end
    for (let from = start; from < next; ) {
      const to = Math.min(next, (Math.floor(from / 512) + 1) * 512)
      const torn = Buffer.from(bytes).fill(0, next).fill(0, from, to)
      expect([start, from, countRecords(torn)]).toEqual([start, from, i])
      from = to
    }
  }
})

test('a bit that is flipped in a promised record is damage, whatever room there is behind it', async () => {
  const { bytes, end } = await leaveRoom()
  const last = recordsIn(bytes.subarray(0, end)).at(-1) ?? end
  for (let place = last; place < end; place += 7) {
    const changed = Buffer.from(bytes)
    changed[place] = (changed[place] ?? 0) ^ 4
    expect([place, countRecords(changed)]).toEqual([place, 'ledger-tampered'])
  }
})

test('a bit that is flipped in the room is reported, and takes no record away', async () => {
  const { promised, bytes, end } = await leaveRoom()
  for (const place of [end, end + 80, bytes.length - 1]) {
    const changed = Buffer.from(bytes)
    changed[place] = 4
    expect(countRecords(changed)).toBe(promised.length)
    expect(await found()).toContain('ledger/write-ahead-torn')
  }
})

test('zeros end no segment but the last', async () => {
  await leaveRoom()
  expect(() => [...readFrames(segment(), false)]).toThrow(/is damaged/)
})

/** Where the records begin. */
function recordsIn(bytes: Buffer): number[] {
  const mark = bytes.subarray(0, 4)
  const starts: number[] = []
  for (let at = 0; at >= 0; at = bytes.indexOf(mark, at + 1)) starts.push(at)
  return starts
}
