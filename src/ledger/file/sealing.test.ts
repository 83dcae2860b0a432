import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startWriter } from '../../../test/log-process.ts'
import { openTestFolder, type TestFolder } from '../../../test/test-folder.ts'
import { draftOf, testLog } from '../../../test/test-log.ts'
import { openFileLog } from './file-log.ts'
import { auditFolder } from './folder-audit.ts'
import { openFileLogReader } from './reader.ts'
import { readSeal } from './seal.ts'
import { sealFileLog } from './sealing.ts'

let home: TestFolder
beforeEach(() => {
  home = openTestFolder()
})
afterEach(() => home.remove())

const SEAL = { to: 'postgres', size: 0, at: '2026-06-01T00:00:00Z' } as const
const sealed = { code: 'conflict', message: expect.stringMatching(/is sealed/) }

test('a sealed log refuses appends of a process that had it open, and can be read as before', async () => {
  const { folder, options } = testLog(home.root)
  const log = await openFileLog(folder, options)
  await log.append(draftOf('a'))
  await sealFileLog(folder, options, async ({ checkpoint }) => ({ ...SEAL, size: checkpoint.size }))
  await expect(log.append(draftOf('b'))).rejects.toMatchObject(sealed)
  await expect(log.erase(0, '{}')).rejects.toMatchObject(sealed)
  await log.close()
  expect(readSeal(folder)).toEqual({ ...SEAL, size: 1 })
  const reader = openFileLogReader(folder, options)
  expect(await reader.find('id:a')).toEqual([0])
  expect(await reader.size()).toBe(1)
  expect([...auditFolder(folder, 1)]).toEqual([])
})

test('what a process promised before it was killed is published before the log is sealed', async () => {
  const { folder, options } = testLog(home.root)
  const { promised } = await startWriter([home.root, 'p', 20, 20, 'die']).ended
  expect(promised).toHaveLength(20)
  let size = 0
  await sealFileLog(folder, options, async ({ checkpoint }) => {
    size = checkpoint.size
    return SEAL
  })
  expect(size).toBe(20)
})

test('where the work fails nothing is sealed, and the log goes on', async () => {
  const { folder, options } = testLog(home.root)
  const work = async () => {
    throw new Error('not there yet')
  }
  await expect(sealFileLog(folder, options, work)).rejects.toThrow('not there yet')
  expect(existsSync(join(folder, 'sealed'))).toBe(false)
  const log = await openFileLog(folder, options)
  expect(await log.append(draftOf('a'))).toMatchObject({ index: 0 })
  await log.close()
})

test('an unreadable seal seals all the same', async () => {
  const { folder, options } = testLog(home.root)
  const log = await openFileLog(folder, options)
  await log.append(draftOf('a'))
  await log.close()
  writeFileSync(join(folder, 'sealed'), '{')
  expect(readSeal(folder)).toBeDefined()
  const again = await openFileLog(folder, options)
  await expect(again.append(draftOf('b'))).rejects.toMatchObject(sealed)
  await again.close()
})
