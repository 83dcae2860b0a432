import logErase from '../src/operations/log-erase.ts'
import { bareApp } from './bare-app.ts'

/**
 * A process of its own that erases an entry, and is killed when that is stated, before a tombstone stands there.
 * Arguments: the root, and the index of the entry.
 */
const [root = '', index = ''] = process.argv.slice(2)
let calls = 0
const app = {
  ...bareApp(root),
  // The hook runs before the statement, and before the deed.
  recording: () => {
    calls++
    if (calls === 2) process.kill(process.pid, 'SIGKILL')
  },
}

await logErase.run({ digest: index, by: 'ada', why: 'names a customer' }, app)
