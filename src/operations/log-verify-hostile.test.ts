import {
  chmodSync,
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  type LedgerFolder,
  openLedgerFolder,
  recordMany,
  recordSmall,
} from '../../test/ledger-folder.ts'
import { openTestFolder } from '../../test/test-folder.ts'
import { openGateway } from '../governance/index.ts'
import { loadConfig } from '../workspace/index.ts'
import logVerify from './log-verify.ts'

let folder: LedgerFolder
beforeEach(async () => {
  folder = await openLedgerFolder()
})
afterEach(() => folder.remove())

const small = (count: number, first = 0) => recordMany(folder, count, first)
const run = (given: Parameters<typeof logVerify.run>[0] = {}) => logVerify.run(given, folder.app())
const at = (file: string) => join(folder.ledger, file)

/** The codes of the errors, each once. */
async function codes(given: Parameters<typeof logVerify.run>[0] = {}): Promise<string[]> {
  const { faults, verified } = await run(given)
  const errors = faults.filter(({ severity }) => severity === 'error')
  expect(verified).toBe(errors.length === 0)
  return [...new Set(errors.map(({ code }) => code))].sort()
}

/** Changes the lines of a group of contents. */
function changeContents(change: (lines: string[]) => void, file = 'content/000'): void {
  const lines = readFileSync(at(file), 'utf8').split('\n')
  change(lines)
  writeFileSync(at(file), lines.join('\n'))
}

test.each([
  ['the last tile of leaves', 'tile/0/000.p/5', ['ledger/state-damaged', 'ledger/tile-damaged']],
  ['the last bundle of entries', 'tile/entries/000.p/5', ['ledger/tile-damaged']],
])('%s cut short is found', async (_, file, wanted) => {
  await small(5)
  truncateSync(at(file), folder.read(file).length - 1)
  expect(await codes()).toEqual(expect.arrayContaining(wanted))
  expect(await codes({ quick: true })).toContain('ledger/tile-damaged')
})

test('a tile of a large log cut short, and one that is gone, are found', async () => {
  await small(600)
  const file = 'tile/1/000.p/2'
  truncateSync(at(file), 32)
  expect(await codes()).toContain('ledger/tile-damaged')
  rmSync(at(file))
  expect(await codes()).toContain('ledger/tile-damaged')
})

test('a tile that was cut short is no fork: the guards are those of the checkpoint, or cannot be compared', async () => {
  await small(2)
  const guard = join(folder.root, '.waybill/keys/checkpoint')
  const before = readFileSync(guard)
  await small(2, 2)
  truncateSync(at('tile/0/000.p/4'), 127)
  const codes = async () => (await run({ quick: true })).faults.map(({ code }) => code)
  expect(await codes()).toEqual(['ledger/tile-damaged'])
  // What is left of it is enough for the first two.
  writeFileSync(guard, before)
  expect(await codes()).toEqual(['ledger/tile-damaged'])
  rmSync(at('tile/0/000.p/4'))
  expect(await codes()).toEqual(['ledger/tile-damaged', 'ledger/guard-not-compared'])
})

test('two contents that were swapped are both named', async () => {
  await small(4)
  changeContents(lines => {
    ;[lines[1], lines[2]] = [lines[2] ?? '', lines[1] ?? '']
  })
  const { first, faults } = await run()
  expect(first).toMatchObject({ code: 'ledger/content-differs', index: 1 })
  expect(faults.map(({ index }) => index)).toEqual([1, 2])
})

test('two leaves that were swapped, with their contents, are found by the tree', async () => {
  await small(4)
  const bundle = folder.read('tile/entries/000.p/4')
  const length = 2 + bundle.readUInt16BE(0)
  const second = 2 + bundle.readUInt16BE(length)
  const swapped = Buffer.concat([
    bundle.subarray(length, length + second),
    bundle.subarray(0, length),
    bundle.subarray(length + second),
  ])
  writeFileSync(at('tile/entries/000.p/4'), swapped)
  changeContents(lines => {
    ;[lines[0], lines[1]] = [lines[1] ?? '', lines[0] ?? '']
  })
  expect(await run()).toMatchObject({
    verified: false,
    first: { code: 'ledger/entry-not-in-tree', index: 0 },
  })
})

test('a whole log by other keys in the place of ours is refused, though all its hashes are sound', async () => {
  await small(3)
  const other = await openLedgerFolder()
  try {
    await other.withGateway(gateway => recordSmall(gateway, 0))
    rmSync(folder.ledger, { recursive: true })
    other.copy(folder.ledger)
    expect(await codes()).toEqual(['ledger/wrong-origin'])
    // Its key is not listed here, wherever it stands.
    expect(await codes({ ledger: other.ledger })).toEqual(['ledger/checkpoint-untrusted'])
  } finally {
    other.remove()
  }
})

test('an older copy in the place of the log is found by its guards', async () => {
  await small(2)
  folder.copy(join(folder.root, 'before'))
  await small(2, 2)
  rmSync(folder.ledger, { recursive: true })
  renameSync(join(folder.root, 'before'), folder.ledger)
  expect(await codes()).toEqual(['ledger/rolled-back'])
  expect(await codes({ quick: true })).toEqual(['ledger/rolled-back'])
})

test('a checkpoint of before alone is found: the rest of the log is ahead of it, and so is the guard', async () => {
  await small(2)
  const before = folder.read('checkpoint')
  await small(2, 2)
  writeFileSync(at('checkpoint'), before)
  expect(await codes()).toEqual(['ledger/rolled-back'])
  expect(await codes({ quick: true })).toEqual(['ledger/rolled-back'])
  rmSync(join(folder.root, '.waybill/keys/checkpoint'))
  expect(await codes()).toEqual(['ledger/rolled-back'])
})

test('a process that was killed before it published leaves a ledger that is only unfinished', async () => {
  await small(2)
  const before = folder.read('checkpoint')
  const segment = await folder.withGateway(async gateway => {
    await Promise.all([2, 3].map(number => recordSmall(gateway, number)))
    return folder.read('.state/wal/2')
  })
  writeFileSync(at('checkpoint'), before)
  writeFileSync(at('.state/wal/2'), segment)
  const { verified, faults } = await run()
  expect(verified).toBe(true)
  expect(faults.map(({ code }) => code)).toContain('ledger/unpublished')
  expect(faults.map(({ code }) => code)).toContain('ledger/promises-pending')
  // A segment that promises only a part of it explains nothing.
  writeFileSync(at('.state/wal/2'), '')
  expect(await codes()).toEqual(['ledger/rolled-back'])
})

test('a fork that the log’s own key has signed is found by the guard', async () => {
  await small(2)
  const elsewhere = openTestFolder()
  const { root } = elsewhere
  cpSync(folder.root, root, { recursive: true })
  chmodSync(join(root, '.waybill/keys'), 0o700)
  rmSync(join(root, '.waybill/ledger'), { recursive: true })
  rmSync(join(root, '.waybill/keys/checkpoint'))
  const gateway = await openGateway(root, await loadConfig(root), { now: Date.now })
  for (let number = 10; number < 13; number++) await recordSmall(gateway, number)
  await gateway.close()
  rmSync(folder.ledger, { recursive: true })
  cpSync(join(root, '.waybill/ledger'), folder.ledger, { recursive: true })
  elsewhere.remove()
  expect(await codes()).toEqual(['ledger/forked'])
})

test.each([
  [
    'a content that was taken out',
    () => changeContents(lines => lines.splice(2, 1)),
    'ledger/content-differs',
  ],
  [
    'the last content that was taken out',
    () => changeContents(lines => lines.splice(3, 1)),
    'ledger/content-missing',
  ],
  [
    'the file of the contents that is gone',
    () => rmSync(at('content/000')),
    'ledger/content-missing',
  ],
  [
    'a content with a space behind it',
    () =>
      changeContents(lines => {
        lines[1] += ' '
      }),
    'ledger/content-malformed',
  ],
  [
    'a tombstone that is not recorded',
    () =>
      changeContents(lines => {
        lines[1] = '{"tombstone":{}}'
      }),
    'ledger/tombstone-malformed',
  ],
  ['the checkpoint that is gone', () => rmSync(at('checkpoint')), 'ledger/checkpoint-missing'],
  [
    'the state that is gone',
    () => rmSync(at('.state'), { recursive: true }),
    'ledger/state-missing',
  ],
  [
    'the index that is gone',
    () => rmSync(at('.state/keys'), { recursive: true }),
    'ledger/index-missing',
  ],
  [
    'an index that is a byte longer',
    () =>
      writeFileSync(
        at('.state/keys/0-4'),
        Buffer.concat([folder.read('.state/keys/0-4'), Buffer.of(0)]),
      ),
    'ledger/index-differs',
  ],
  [
    'an index of another stretch',
    () => renameSync(at('.state/keys/0-4'), at('.state/keys/0-3')),
    'ledger/index-missing',
  ],
  [
    'a damaged guard',
    () => writeFileSync(join(folder.root, '.waybill/keys/checkpoint'), 'x\n'),
    'ledger/guard-damaged',
  ],
] as const)('%s: is found', async (_, change, wanted) => {
  await small(4)
  expect(await codes()).toEqual([])
  change()
  expect(await codes()).toContain(wanted)
})

test('a tombstone without a recorded erasure is no erasure', async () => {
  await small(3)
  const { digest } = await small(1, 3).then(([receipt]) => receipt ?? { digest: '' })
  changeContents(lines => {
    const says = { digest, ids: {}, keys: { unique: [], also: [] } }
    lines[3] = JSON.stringify({ tombstone: { ...says, reason: 'r', by: 'b', at: 't' } })
  })
  expect(await codes()).toEqual(['ledger/erasure-unrecorded', 'ledger/index-differs'])
})

test('promised entries that wait, and what was cut off, are reported and refuse nothing', async () => {
  await small(2)
  mkdirSync(at('.state/wal'), { recursive: true })
  writeFileSync(at('.state/wal/2'), 'torn')
  const { verified, faults } = await run()
  expect(verified).toBe(true)
  expect(faults.map(({ code }) => code)).toEqual(['ledger/write-ahead-torn'])
})

test('a file that does not belong there is reported', async () => {
  await small(1)
  writeFileSync(at('notes.txt'), 'x')
  expect(await run()).toMatchObject({
    verified: true,
    faults: [{ code: 'ledger/stray-file', file: 'notes.txt' }],
  })
})
