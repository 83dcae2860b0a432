import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

/**
 * A process of its own that appends to the log below a folder, and says what it was promised: a line `index id` each.
 *
 * Arguments: the folder, the first part of the ids, how many entries, how many at once, and what happens: `close` at the
 * end, `die` at the end, `die:<n>` at the nth step that changes something on the disk, or `go` on to the end after an
 * error. Then, if it is given, an id that is appended as well, before all others; and the address of the database that the
 * log is in, if it is in one.
 */
const [root = '', prefix = '', count = '1', together = '1', how = 'close', shared, url] =
  process.argv.slice(2)

const dieAt = how.startsWith('die:') ? Number(how.slice(4)) : Number.POSITIVE_INFINITY
let steps = 0
for (const name of ['writeSync', 'renameSync', 'rmSync', 'mkdirSync', 'ftruncateSync'] as const) {
  const step = fs[name] as (...args: unknown[]) => unknown
  Object.assign(fs, {
    [name]: (...args: unknown[]) => {
      steps++
      if (steps > dieAt) process.kill(process.pid, 'SIGKILL')
      return step(...args)
    },
  })
}
syncBuiltinESMExports()

const say = (line: string) => fs.writeSync(1, `${line}\n`)
const { draftOf, testLog } = await import('./test-log.ts')
const { folder, options } = testLog(root)
const log = await (url ? openInDatabase(url) : openInFiles())

async function openInFiles() {
  const { openFileLog } = await import('../src/ledger/file/file-log.ts')
  return openFileLog(folder, options)
}

async function openInDatabase(address: string) {
  const { openPostgresLog } = await import('../src/store/index.ts')
  return openPostgresLog(address, options)
}

const ids = Array.from({ length: Number(count) }, (_, i) => `${prefix}-${i}`)
if (shared) ids.unshift(shared)

async function caller(): Promise<void> {
  for (let id = ids.shift(); id; id = ids.shift()) {
    try {
      const answer = await log.append(draftOf(id, 'even', 900))
      say('taken' in answer ? `taken ${id}` : `${answer.index} ${id}`)
    } catch (error) {
      say(`error ${(error as { code?: string }).code} ${(error as Error).message}`)
      if (how !== 'go') throw error
      ids.length = 0
    }
  }
}
await Promise.all(Array.from({ length: Number(together) }, caller))
if (how === 'die') process.kill(process.pid, 'SIGKILL')
await log.close().catch(error => say(`error ${error.code} ${error.message}`))
say(`steps ${steps}`)
