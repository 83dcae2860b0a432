import logErase from '../src/operations/log-erase.ts'

/**
 * A process of its own that erases an entry, and is killed when that is stated, before a tombstone stands there.
 * Arguments: the root, and the index of the entry.
 */
const [root = '', digest = ''] = process.argv.slice(2)
let told = 0
const app = {
  now: Date.now(),
  clock: Date.now,
  root,
  cwd: root,
  version: '0.0.0',
  stdin: async () => new Uint8Array(),
  // It is told before the statement, and before the deed.
  recording: () => {
    told++
    if (told === 2) process.kill(process.pid, 'SIGKILL')
  },
}

await logErase.run({ digest, by: 'ada', why: 'names a customer' }, app)
