import { WaybillError } from '../error.ts'
import { askGit } from './git.ts'
import { findGitRoot } from './root.ts'

/** What the commit that is checked out holds, by path; without a repository there is none. */
type Committed = ReadonlyMap<string, Uint8Array> | undefined

/** Nobody who looks at the commit sees what stands for one of its files in this repository alone. */
const AS_COMMITTED = ['-c', 'core.useReplaceRefs=false']

/**
 * Asks Git for files of the commit that is checked out; one that it does not hold is absent. Links in it are followed, as
 * whoever reads the files follows them; what leads out of it, or nowhere, is held and empty.
 *
 * @throws WaybillError where Git does not answer, or has lost a file: what nobody can look up was not reviewed for that.
 */
export function committedFiles(root: string, paths: readonly string[]): Committed {
  if (findGitRoot(root) === undefined) return undefined
  // The question is one line for each.
  const asked = paths.filter(path => !path.includes('\n'))
  const input = asked.map(path => `HEAD:./${path}\n`).join('')
  const files = readAnswers(
    askGit(root, [...AS_COMMITTED, 'cat-file', '--batch', '--follow-symlinks'], { input }),
    asked,
  )
  const absent = asked.filter(path => !files.has(path))
  if (absent.length > 0) mustNotHold(root, absent)
  return files
}

/** What Git says of a file that it cannot read is what it says of one that was never committed. */
function mustNotHold(root: string, paths: readonly string[]): void {
  // Before the first commit there is no tree to ask for.
  if (askGit(root, ['for-each-ref', '--count=1']).length === 0) return
  const tree = askGit(root, [...AS_COMMITTED, 'ls-tree', '-z', 'HEAD', '--', ...paths])
  const [lost] = tree.toString().match(/(?<=^|\0)\d+ blob [^\0]+/) ?? []
  if (lost === undefined) return
  const [, path] = lost.split('\t', 2)
  throw new WaybillError('usage', `Git cannot read ${path} of the commit that is checked out`, {
    hint: 'git fsck tells what is lost; fetch it, or clone the repository anew',
  })
}

/**
 * For each question `<name> blob <size>`, the bytes and a line end; `symlink <size>` or the like, with where that leads; or
 * one line that says that there is none.
 */
function readAnswers(output: Buffer, asked: readonly string[]): ReadonlyMap<string, Uint8Array> {
  const files = new Map<string, Uint8Array>()
  let at = 0
  for (const path of asked) {
    const end = output.indexOf('\n', at)
    const [, name, type, size] =
      /^([0-9a-f]+ )?([a-z]+) ([0-9]+)$/.exec(output.toString('utf8', at, end)) ?? []
    at = end + 1
    if (size === undefined) continue
    if (name === undefined) files.set(path, new Uint8Array())
    else if (type === 'blob') files.set(path, output.subarray(at, at + Number(size)))
    at += Number(size) + 1
  }
  return files
}
