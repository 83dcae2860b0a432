import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'

/**
 * The bytes of a file of ours, such as the configuration; `undefined` where there is none.
 *
 * @throws Error for what is no regular file, too large or not readable: a pipe or a device could go on for ever.
 */
export function readOwnFile(file: string, mostBytes: number): Buffer | undefined {
  let descriptor: number
  try {
    // Opening a pipe without this waits for somebody to write.
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  try {
    const stats = fstatSync(descriptor)
    if (!stats.isFile()) throw new Error('it is not a regular file')
    if (stats.size > mostBytes) throw new Error(`it has more than ${mostBytes} bytes`)
    return readFileSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
