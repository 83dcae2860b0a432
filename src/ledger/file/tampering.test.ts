import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { expectWhole, startWriter, watchCheckpoint } from '../../../test/log-process.ts'
import { appendAll, idsOf } from '../../../test/log-suite.ts'
import { openTestFolder, type TestFolder } from '../../../test/test-folder.ts'
import { draftOf, testLog } from '../../../test/test-log.ts'
import { openFileLog } from './file-log.ts'
import { openFileLogReader } from './reader.ts'

let home: TestFolder
beforeEach(() => {
  home = openTestFolder()
})
afterEach(() => home.remove())

const at = (path: string) => join(home.root, path)

async function append(prefix: string, count: number): Promise<void> {
  const { folder, options } = testLog(home.root)
  const log = await openFileLog(folder, options)
  await appendAll(log, idsOf(prefix, count))
  await log.close()
}

async function expectRefused(reason: RegExp): Promise<void> {
  const before =
    existsSync(at('ledger/checkpoint')) && readFileSync(at('ledger/checkpoint'), 'utf8')
  const { folder, options } = testLog(home.root)
  const log = await openFileLog(folder, options)
  const refusal = { code: 'ledger-tampered', message: expect.stringMatching(reason) }
  await expect(log.append(draftOf('more'))).rejects.toMatchObject(refusal)
  await log.close()
  const after = existsSync(at('ledger/checkpoint')) && readFileSync(at('ledger/checkpoint'), 'utf8')
  expect(after).toBe(before)
}

test.each([
  ['the folder of the ledger', ['ledger']],
  ['the folder and one guard', ['ledger', 'guards/one']],
  ['the folder and the other guard', ['ledger', 'guards/two']],
])('an old copy of %s is refused', async (_, parts) => {
  await append('a', 5)
  for (const part of parts) cpSync(at(part), at(`backup/${part}`), { recursive: true })
  await append('b', 1)
  for (const part of parts) {
    rmSync(at(part), { recursive: true })
    cpSync(at(`backup/${part}`), at(part), { recursive: true })
  }
  await expectRefused(/has 5 entries, and .*guards\/(one|two) was signed when it had 6/)
})

test('an old copy to which something else was appended is refused', async () => {
  await append('a', 5)
  cpSync(at('ledger'), at('backup/ledger'), { recursive: true })
  cpSync(at('guards'), at('backup/guards'), { recursive: true })
  await append('b', 1)
  cpSync(at('guards'), at('newest'), { recursive: true })
  for (const part of ['ledger', 'guards']) {
    rmSync(at(part), { recursive: true })
    cpSync(at(`backup/${part}`), at(part), { recursive: true })
  }
  await append('c', 1)
  await append('d', 1)
  cpSync(at('newest'), at('guards'), { recursive: true })
  await expectRefused(/its first 6 entries differ from those/)
})

test('a ledger that was taken away is not created again', async () => {
  await append('a', 1)
  rmSync(at('ledger'), { recursive: true })
  await expectRefused(/has 0 entries/)
})

test('guards that were lost are made again', async () => {
  await append('a', 2)
  rmSync(at('guards'), { recursive: true })
  await append('b', 1)
  expect(readFileSync(at('guards/one'), 'utf8')).toBe(readFileSync(at('ledger/checkpoint'), 'utf8'))
})

test.each([
  ['checkpoint', /checkpoint/],
  ['.state/tree', /tree is damaged/],
  ['tile/0/000.p/5', /different trees/],
])('no byte of %s can be changed without being noticed', async (file, reason) => {
  await append('a', 5)
  const bytes = readFileSync(at(`ledger/${file}`))
  for (let i = 0; i < bytes.length; i += file === 'checkpoint' ? 3 : 1) {
    const changed = Buffer.from(bytes)
    changed[i] = (changed[i] ?? 0) ^ 1
    writeFileSync(at(`ledger/${file}`), changed)
    await expectRefused(reason)
  }
  writeFileSync(at(`ledger/${file}`), bytes)
  await append('b', 1)
})

test.each(['.state/tree', 'tile/0/000.p/5'])('a ledger without its %s is refused', async file => {
  await append('a', 5)
  rmSync(at(`ledger/${file}`))
  await expectRefused(/./)
})

test('a checkpoint by another key is refused, by readers too', async () => {
  await append('a', 5)
  const other = openTestFolder()
  const foreign = testLog(other.root)
  const log = await openFileLog(foreign.folder, foreign.options)
  await appendAll(log, idsOf('a', 5))
  const { note } = await log.covered()
  await log.close()
  other.remove()
  writeFileSync(at('ledger/checkpoint'), note)
  await expectRefused(/no trusted key/)
  const { folder, options } = testLog(home.root)
  await expect(openFileLogReader(folder, options).size()).rejects.toMatchObject({
    code: 'ledger-tampered',
  })
})

/** A process that was killed leaves its promises in the write-ahead segment, one record each. */
async function leaveSegment(): Promise<string> {
  for (;;) {
    testLog(home.root)
    const { promised } = await startWriter([home.root, 'left', 3, 1, 'die']).ended
    expect(promised).toHaveLength(3)
    if (!existsSync(at('ledger/checkpoint'))) return at('ledger/.state/wal/0')
    // It took so long that it has published some of them.
    for (const name of ['ledger', 'guards']) rmSync(at(name), { recursive: true })
  }
}

test.each([1, 40, 900, 1100])(
  'a record of which the last %i bytes were never written was not promised',
  async missing => {
    const segment = await leaveSegment()
    truncateSync(segment, readFileSync(segment).length - missing)
    expect(
      await expectWhole(home.root, [
        [0, 'left-0'],
        [1, 'left-1'],
      ]),
    ).toBe(3)
  },
)

test('a record of which a sector never reached the disk was not promised', async () => {
  const segment = await leaveSegment()
  const bytes = readFileSync(segment)
  const sector = Math.floor((bytes.length - 520) / 512) * 512
  writeFileSync(segment, bytes.fill(0, sector, sector + 512))
  expect(
    await expectWhole(home.root, [
      [0, 'left-0'],
      [1, 'left-1'],
    ]),
  ).toBe(3)
})

test('a promised record that was changed is refused, and so is one that is missing', async () => {
  const segment = await leaveSegment()
  const bytes = readFileSync(segment)
  for (const place of [0, 5, 9, 30, 71, 72, 90, 400, bytes.length / 2, bytes.length - 1]) {
    const changed = Buffer.from(bytes)
    const i = Math.floor(place)
    changed[i] = (changed[i] ?? 0) ^ 4
    writeFileSync(segment, changed)
    await expectRefused(/is damaged/)
  }
  rmSync(segment)
  writeFileSync(at('ledger/.state/wal/1'), bytes.subarray(Math.floor(bytes.length / 3)))
  await expectRefused(/is damaged|is missing/)
})

test('an index of keys that is missing or damaged is rebuilt from what is stored with the leaves', async () => {
  await append('a', 300)
  const keys = at('ledger/.state/keys')
  const { folder, options } = testLog(home.root)
  const reader = openFileLogReader(folder, options)
  for (const damage of [
    (file: string) => rmSync(file),
    (file: string) => truncateSync(file, 100),
    (file: string) =>
      writeFileSync(
        file,
        readFileSync(file).map(byte => byte ^ 1),
      ),
    (file: string) => writeFileSync(file, ''),
  ]) {
    for (const name of readdirSync(keys)) damage(join(keys, name))
    expect(await reader.find('id:a-77')).toEqual([77])
    const log = await openFileLog(folder, options)
    const taken = { taken: 'id:a-77', index: 77 }
    expect(await log.append(draftOf('a-77'))).toMatchObject(taken)
    await log.close()
    expect(await openFileLogReader(folder, options).find('id:a-77')).toEqual([77])
  }
})

test('a folder that cannot be written is said, and the next try succeeds', async () => {
  const { folder, options } = testLog(home.root)
  home.write('ledger/.state', 'this is no folder')
  const log = await openFileLog(folder, options)
  await expect(log.append(draftOf('a'))).rejects.toMatchObject({ code: 'input-output' })
  rmSync(at('ledger/.state'))
  expect(await log.append(draftOf('a'))).toMatchObject({ index: 0 })
  await log.close()
})

test('who reads while others write sees whole states only', async () => {
  testLog(home.root)
  const stop = watchCheckpoint(home.root)
  const { process: child, begun, ended } = startWriter([home.root, 'w', 100_000, 4])
  await begun
  const { folder, options } = testLog(home.root)
  const sizes = new Set<number>()
  const until = performance.now() + 120_000
  while (sizes.size < 5 && performance.now() < until) {
    // What the process says has to be taken from it, or it waits.
    await new Promise(resolve => setTimeout(resolve, 5))
    const reader = openFileLogReader(folder, options)
    const size = await reader.size()
    sizes.add(size)
    if (size === 0) continue
    const { id } = JSON.parse((await reader.content(size - 1)) ?? '{}')
    expect(id).toMatch(/^w-/)
    expect(await reader.find(`id:${id}`)).toEqual([size - 1])
    // Others write meanwhile: it is all of what stood under one checkpoint, this one or a later one.
    const found = await reader.find('kind:even')
    expect(found).toEqual(Array.from(found, (_, index) => index))
    expect(found.length).toBeGreaterThanOrEqual(size)
    expect(found.length).toBeLessThanOrEqual(await reader.size())
  }
  child.kill('SIGKILL')
  expect(sizes.size).toBe(5)
  await expectWhole(home.root, (await ended).promised.slice(-300), stop())
})
