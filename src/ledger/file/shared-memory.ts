import { closeSync } from 'node:fs'
import { fill, LONGEST_CONTENTS, openRegular } from './regular.ts'

// Files are read into the same memory each time: new memory for megabytes takes longer than reading them.
/** From how many bytes on no room is made for more. */
const MUCH = 67_108_864

let memory = Buffer.allocUnsafeSlow(65_536)

/** Reads a whole file; what it gives is valid until the next file is read. */
export function readShared(file: string): Buffer {
  const { descriptor, size } = openRegular(file, LONGEST_CONTENTS)
  try {
    if (size > memory.length) memory = Buffer.allocUnsafeSlow(size > MUCH ? size : 2 * size)
    return memory.subarray(0, fill(descriptor, memory.subarray(0, size)))
  } finally {
    closeSync(descriptor)
  }
}
