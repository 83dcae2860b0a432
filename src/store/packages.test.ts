import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../test/database.ts'
import { connectRaw } from '../../test/raw-sql.ts'

let database: Database
beforeAll(async () => {
  database = await openDatabase({ migrated: false })
})
afterAll(async () => {
  await database?.remove()
})

const STORE = JSON.stringify(join(import.meta.dirname, 'index.ts'))

/** Runs a program in a process of its own that finds every package but those of one name. */
function runWithout(name: string, program: string) {
  const hooks = `import { registerHooks } from 'node:module'
    registerHooks({ resolve: (wanted, context, next) => {
      if (wanted !== '${name}' && !wanted.startsWith('${name}/')) return next(wanted, context)
      throw Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' })
    } })`
  const before = `data:text/javascript,${encodeURIComponent(hooks)}`
  const args = ['--import', before, '--input-type=module', '-e', program, database.url]
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  return JSON.parse(stdout || JSON.stringify(stderr))
}

test.each(['pg', 'kysely'])('without %s a store says what to install', name => {
  const program = `import { openStore } from ${STORE}
    const refused = await openStore({ url: process.argv[1] })
      .then(store => store.migrate().finally(() => store.close()))
      .catch(({ code, message, hint }) => ({ code, message, hint }))
    console.log(JSON.stringify(refused))`
  expect(runWithout(name, program)).toEqual({
    code: 'configuration',
    message: `the database needs the package ${name}, which is missing`,
    hint: expect.stringMatching(/^npm install pg@\S+ kysely@\S+$/),
  })
})

test('without the queue all else works, and what enqueues says that tables are missing', async () => {
  const program = `import { openStore } from ${STORE}
    import { sql } from 'kysely'
    const store = await openStore({ url: process.argv[1] })
    const ran = await store.migrate()
    const refused = await store
      .tenant('acme', tx => sql\`select waybill.enqueue_task(gen_random_uuid(), 'first', 1)\`.execute(tx))
      .catch(({ code, hint }) => ({ code, hint }))
    await store.close()
    console.log(JSON.stringify({ ran: ran.length > 10, refused }))`
  expect(runWithout('@dbos-inc/dbos-sdk', program)).toEqual({
    ran: true,
    refused: { code: 'configuration', hint: expect.stringContaining('migrate') },
  })
  const owner = await connectRaw(database.url)
  const made = () => owner.rows(undefined, "select to_regnamespace('dbos') is not null as made")
  expect(await made()).toEqual([{ made: false }])
  // Once the package is there, the next migration makes up for it.
  await database.store.migrate()
  expect(await made()).toEqual([{ made: true }])
  await owner.end()
})
