import fs, { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestFolder, type TestFolder } from '../../../test/test-folder.ts'
import { draftOf, testLog } from '../../../test/test-log.ts'
import type { Log } from '../log.ts'
import { openFileLog } from './file-log.ts'

/** What the disk is asked for, by the calls of this process: how often, and until when it has not answered. */
const disk = { asked: 0, done: 0 }
const [alone, together] = [fs.fdatasyncSync, fs.fdatasync]
/** The disk takes its time, so that an answer which does not wait for it comes too early. */
const SLOW = 40

let home: TestFolder
let log: Log
beforeEach(async () => {
  home = openTestFolder()
  mkdirSync(join(home.root, 'guards'), { recursive: true })
  const { folder, options } = testLog(home.root)
  log = await openFileLog(folder, options)
  Object.assign(disk, { asked: 0, done: 0 })
  fs.fdatasyncSync = descriptor => {
    disk.asked++
    alone(descriptor)
    disk.done++
  }
  fs.fdatasync = Object.assign(
    (descriptor: number, then: (error: NodeJS.ErrnoException | null) => void) => {
      disk.asked++
      together(descriptor, error =>
        setTimeout(() => {
          disk.done++
          then(error)
        }, SLOW),
      )
    },
    { __promisify__: together.__promisify__ },
  )
  syncBuiltinESMExports()
})
afterEach(async () => {
  Object.assign(fs, { fdatasyncSync: alone, fdatasync: together })
  syncBuiltinESMExports()
  await log.close().catch(() => {})
  home.remove()
})

const append = (id: string) => log.append(draftOf(id, 'even', 900))

test('a receipt is given after one fdatasync of the write-ahead log has answered', async () => {
  // The folders are made, and the segment is named, with the first one.
  await append('a-0')
  for (const id of ['a-1', 'a-2']) {
    const { asked, done } = disk
    await append(id)
    expect([disk.asked - asked, disk.done - done]).toEqual([1, 1])
  }
})

test('those who come at once share one, and none of them has a receipt before it has answered', async () => {
  await append('a-0')
  const { asked, done } = disk
  const seen: number[] = []
  const ids = Array.from({ length: 8 }, (_, i) => `b-${i}`)
  await Promise.all(ids.map(id => append(id).then(() => seen.push(disk.done - done))))
  expect(disk.asked - asked).toBe(1)
  expect(seen).toEqual(ids.map(() => 1))
})

test('a checkpoint is kept by the guards before it becomes readable', async () => {
  await append('a-0')
  // Nothing can be written there any more.
  rmSync(join(home.root, 'guards'), { recursive: true, force: true })
  writeFileSync(join(home.root, 'guards'), '')
  await expect(log.covered()).rejects.toMatchObject({ code: 'input-output' })
  expect(existsSync(join(home.root, 'ledger/checkpoint'))).toBe(false)
  rmSync(join(home.root, 'guards'))
  await log.covered()
  const published = readFileSync(join(home.root, 'ledger/checkpoint'), 'utf8')
  expect(readFileSync(join(home.root, 'guards/one'), 'utf8')).toBe(published)
})
