import { git } from './git.ts'

/** Reads Git objects by id; objects missing in this clone are left out. */
export function readBlobs(
  root: string,
  objects: readonly string[],
): ReadonlyMap<string, Uint8Array> {
  const found = new Map<string, Uint8Array>()
  if (objects.length === 0) return found
  let output: Buffer
  try {
    output = git(root, ['cat-file', '--batch'], {
      input: objects.map(object => `${object}\n`).join(''),
    })
  } catch {
    return found
  }
  // For each object: a line with id, type and size, then its bytes, then a line end.
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf('\n', at)
    if (end < 0) break
    const [object = '', type, size] = output.toString('latin1', at, end).split(' ')
    at = end + 1
    if (type !== 'blob') continue
    found.set(object, output.subarray(at, at + Number(size)))
    at += Number(size) + 1
  }
  return found
}
