import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  expectWhole,
  startWriter,
  type Written,
  watchCheckpoint,
} from '../../../test/log-process.ts'
import { openTestFolder, type TestFolder } from '../../../test/test-folder.ts'
import { testLog } from '../../../test/test-log.ts'

let home: TestFolder
beforeEach(() => {
  home = openTestFolder()
  // The keys are there before several processes look for them.
  testLog(home.root)
})
afterEach(() => home.remove())

const segments = () => readdirSync(join(home.root, 'ledger/.state/wal'))

test('a process that is killed at random moments loses nothing that it promised', async () => {
  const promised: Written['promised'][number][] = []
  const stop = watchCheckpoint(home.root)
  for (let round = 0; round < 10; round++) {
    const { process: child, begun, ended } = startWriter([home.root, `r${round}`, 100_000, 8])
    await begun
    await new Promise(resolve => setTimeout(resolve, Math.random() * 900))
    child.kill('SIGKILL')
    const { promised: more } = await ended
    promised.push(...more)
  }
  const notes = stop()
  expect(notes.size).toBeGreaterThan(3)
  expect(await expectWhole(home.root, promised, notes)).toBeGreaterThan(promised.length)
  expect(segments()).toEqual([])
})

test('wherever a process is killed between two changes on the disk, the next one continues from there', async () => {
  const promised: Written['promised'][number][] = []
  const notes = new Set<string>()
  const whole = await startWriter([home.root, 'whole', 3, 3]).ended
  const steps = Number(whole.said.at(-1)?.replace('steps ', ''))
  expect(steps).toBeGreaterThan(20)
  promised.push(...whole.promised)
  for (let step = 1; step <= steps + 2; step++) {
    const stop = watchCheckpoint(home.root)
    const { promised: more } = await startWriter([home.root, `s${step}`, 3, 3, `die:${step}`]).ended
    promised.push(...more)
    for (const note of stop()) notes.add(note)
  }
  await expectWhole(home.root, promised, notes)
})

test('32 processes at once lose nothing, and of one unique key all but one get an error that it is taken', async () => {
  const stop = watchCheckpoint(home.root)
  const writers = Array.from({ length: 32 }, (_, i) =>
    startWriter([home.root, `p${i}`, 3, 2, 'close', 'the-same']),
  )
  const written = await Promise.all(writers.map(({ ended }) => ended))
  expect(written.map(({ status }) => status)).toEqual(written.map(() => 0))
  const promised = written.flatMap(one => one.promised)
  expect(promised).toHaveLength(32 * 3 + 1)
  expect(written.filter(({ said }) => said[0] === 'taken the-same')).toHaveLength(31)
  expect(promised.map(([index]) => index).sort((a, b) => a - b)).toEqual(promised.map((_, i) => i))
  await expectWhole(home.root, promised, stop())
})

test('of 32 that start when the one who held the lock was killed, all come to append', async () => {
  const victim = await startWriter([home.root, 'victim', 20, 20, 'die']).ended
  expect(victim.promised).toHaveLength(20)
  expect(segments()).toEqual(['0'])
  const stop = watchCheckpoint(home.root)
  const starters = Array.from({ length: 32 }, (_, i) => startWriter([home.root, `p${i}`, 1]).ended)
  const written = await Promise.all(starters)
  const promised = [victim, ...written].flatMap(one => one.promised)
  expect(promised.map(([index]) => index).sort((a, b) => a - b)).toEqual(
    Array.from({ length: 52 }, (_, i) => i),
  )
  await expectWhole(home.root, promised, stop())
})

/** A shell that lets what it becomes make no file longer than some 512 bytes each. */
const fullAfter = (blocks: number) => [
  '/bin/sh',
  '-c',
  `trap '' XFSZ; ulimit -f ${blocks}; exec "$@"`,
  'sh',
]

test.each([0, 1, 2, 5, 8, 20, 40])(
  'when no file may be longer than %i blocks, it is said, and what was promised is kept',
  async blocks => {
    const before = await startWriter([home.root, 'before', 3]).ended
    const full = await startWriter([home.root, 'full', 60, 1, 'go'], fullAfter(blocks)).ended
    expect(full.said[0]).toMatch(/^error input-output .*cannot be written \(EFBIG\)$/)
    expect(full.promised.length).toBeLessThan(60)
    const promised = [...before.promised, ...full.promised]
    // What was not promised is not there either.
    expect(await expectWhole(home.root, promised)).toBe(promised.length + 1)
  },
)
