import { closeSync } from 'node:fs'
import { fill, LONGEST_CONTENTS, openRegular } from './regular.ts'

// Reuse one buffer for reading: allocating megabytes takes longer than reading them.
/** The most bytes that the buffer keeps. */
const MUCH = 67_108_864

let memory = Buffer.allocUnsafeSlow(65_536)

/** Reads a whole file; the result is valid until the next read. */
export function readShared(file: string): Buffer {
  const { descriptor, size } = openRegular(file, LONGEST_CONTENTS)
  try {
    if (size > memory.length) memory = Buffer.allocUnsafeSlow(size > MUCH ? size : 2 * size)
    return memory.subarray(0, fill(descriptor, memory.subarray(0, size)))
  } finally {
    closeSync(descriptor)
  }
}
