import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

// Files are read into the same memory each time: new memory for megabytes takes longer than reading them.
let memory = Buffer.allocUnsafeSlow(65_536)

/** Reads a whole file; what it gives is valid until the next file is read. */
export function readShared(file: string): Buffer {
  const descriptor = openSync(file, 'r')
  try {
    const { size } = fstatSync(descriptor)
    if (size > memory.length) memory = Buffer.allocUnsafeSlow(2 * size)
    let length = 0
    for (let got = -1; got !== 0 && length < size; length += got)
      got = readSync(descriptor, memory, length, size - length, length)
    return memory.subarray(0, length)
  } finally {
    closeSync(descriptor)
  }
}
