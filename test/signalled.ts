import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

/**
 * A process that is asked to end when an entry of a log is on the disk, and its receipt is not out yet:
 * `node --import signalled.ts?SIGTERM`. Of several signals each one is sent when the process has heard the one before,
 * and it goes on when it has heard them all.
 */
const signals = new URL(import.meta.url).search.slice(1).split(',') as NodeJS.Signals[]
const sync = fs.fdatasync

function sendAll(then: () => void): void {
  const signal = signals.shift()
  if (signal === undefined) {
    then()
    return
  }
  // A listener of ours must not be what keeps the process from ending.
  if (process.listenerCount(signal) > 0) process.once(signal, () => sendAll(then))
  process.kill(process.pid, signal)
}

const syncAndHear = (descriptor: number, then: fs.NoParamCallback) =>
  sync(descriptor, error => {
    // To wait for a signal keeps no process alive.
    const alive = setInterval(() => undefined, 1000)
    sendAll(() => {
      clearInterval(alive)
      then(error)
    })
  })
fs.fdatasync = Object.assign(syncAndHear, { __promisify__: sync.__promisify__ })
syncBuiltinESMExports()
