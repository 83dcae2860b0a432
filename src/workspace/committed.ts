import { git } from './git.ts'
import { findGitRoot } from './root.ts'

/** What the commit that is checked out holds, by path; without a repository there is none. */
type Committed = ReadonlyMap<string, Uint8Array> | undefined

/** Asks Git once for files of the commit that is checked out; one that Git does not have, or cannot give, is absent. */
export function committedFiles(root: string, paths: readonly string[]): Committed {
  if (findGitRoot(root) === undefined) return undefined
  // The question is one line for each.
  const asked = paths.filter(path => !path.includes('\n'))
  try {
    const lines = asked.map(path => `HEAD:./${path}\n`).join('')
    return readAnswers(git(root, ['cat-file', '--batch'], { input: lines }), asked)
  } catch {
    return new Map()
  }
}

/** For each question `<name> blob <size>`, the bytes and a line end; or one line that says that there is none. */
function readAnswers(output: Buffer, asked: readonly string[]): ReadonlyMap<string, Uint8Array> {
  const files = new Map<string, Uint8Array>()
  let at = 0
  for (const path of asked) {
    const end = output.indexOf('\n', at)
    const [, type, size] =
      /^[0-9a-f]+ ([a-z]+) ([0-9]+)$/.exec(output.toString('utf8', at, end)) ?? []
    at = end + 1
    if (size === undefined) continue
    if (type === 'blob') files.set(path, output.subarray(at, at + Number(size)))
    at += Number(size) + 1
  }
  return files
}
