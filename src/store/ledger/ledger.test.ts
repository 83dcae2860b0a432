import { afterAll, beforeAll } from 'vitest'
import { type Database, openDatabase } from '../../../test/database.ts'
import { logSuite } from '../../../test/log-suite.ts'
import { openTestFolder, type TestFolder } from '../../../test/test-folder.ts'
import { testLog } from '../../../test/test-log.ts'
import type { LogReader } from '../../ledger/index.ts'
import { openPostgresLog } from './log.ts'
import { openPostgresLogReader } from './reader.ts'

const homes: TestFolder[] = []
const databases: Promise<Database>[] = []
afterAll(async () => {
  for (const database of databases) await (await database).remove()
  for (const home of homes) home.remove()
})

beforeAll(async () => {
  // The server and the template are made once; that must not count for the first test.
  const first = openDatabase()
  databases.push(first)
  await first
})

logSuite('a log in a database', () => {
  const home = openTestFolder()
  homes.push(home)
  const { options, byGateway } = testLog(home.root)
  let url = ''
  const database = openDatabase().then(made => {
    url = made.url
    return made
  })
  databases.push(database)
  return {
    open: async now => {
      await database
      return openPostgresLog(url, { ...options, ...(now && { now }) })
    },
    openReader: (more): LogReader => openPostgresLogReader(url, { ...options, ...more }),
    byGateway,
  }
})
