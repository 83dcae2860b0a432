import { afterAll, expect, test } from 'vitest'
import { appendAll, idsOf, logSuite } from '../../../test/log-suite.ts'
import { openTestFolder } from '../../../test/test-folder.ts'
import { draftOf, testLog } from '../../../test/test-log.ts'
import { openFileLog } from './file-log.ts'
import { openFileLogReader } from './reader.ts'

const folders: ReturnType<typeof openTestFolder>[] = []
afterAll(() => {
  for (const folder of folders) folder.remove()
})

logSuite('a log in files', () => {
  const home = openTestFolder()
  folders.push(home)
  const { folder, options, byGateway } = testLog(home.root)
  return {
    open: now => openFileLog(folder, { ...options, ...(now && { now }) }),
    openReader: more => openFileLogReader(folder, { ...options, ...more }),
    byGateway,
  }
})

/** Contents that are large enough to be integrated in a thread. */
async function appendLarge(log: Awaited<ReturnType<typeof openFileLog>>, prefix: string) {
  const drafts = idsOf(prefix, 600).map(id => draftOf(id, 'large', 20_000))
  await Promise.all(drafts.map(draft => log.append(draft)))
}

test('a large integration is done in a thread, while more is appended', async () => {
  const home = openTestFolder()
  folders.push(home)
  let asked = 0
  const worker = () => {
    asked++
    return new URL('./worker.ts', import.meta.url)
  }
  const { folder, options } = testLog(home.root, { worker })
  const log = await openFileLog(folder, options)
  await appendLarge(log, 'a')
  const covered = log.covered()
  const receipts = await appendAll(log, ['between'])
  expect(receipts[0]?.index).toBe(600)
  expect((await covered).checkpoint.size).toBeGreaterThanOrEqual(600)
  await appendLarge(log, 'b')
  expect((await log.covered()).checkpoint.size).toBe(1201)
  await log.close()
  expect(asked).toBe(1)
  const reader = openFileLogReader(folder, options)
  expect(await reader.find('id:b-599')).toEqual([1200])
  expect(await reader.content(600)).toBe(draftOf('between').content)
})

test('what a thread finds tampered is reported as that', async () => {
  const home = openTestFolder()
  folders.push(home)
  const worker = () => new URL('./worker.ts', import.meta.url)
  const { folder, options } = testLog(home.root, { worker })
  const log = await openFileLog(folder, options)
  await appendAll(log, idsOf('a', 3))
  await log.covered()
  await appendLarge(log, 'b')
  home.write('ledger/content/000', 'one line\n')
  await expect(log.covered()).rejects.toMatchObject({ code: 'ledger-tampered' })
  await expect(log.close()).rejects.toMatchObject({ code: 'ledger-tampered' })
})
