import { WaybillError } from '../error.ts'
import { askGit } from './git.ts'
import { findGitRoot } from './root.ts'

/** Files of the checked-out commit by path; undefined without a repository. */
type Committed = ReadonlyMap<string, Uint8Array> | undefined

/** Ignores local replace refs, which other clones do not have. */
const AS_COMMITTED = ['-c', 'core.useReplaceRefs=false']

/**
 * Reads files of the checked-out commit; files that it does not contain are absent. Symbolic links are followed; a link
 * out of the commit or to nothing reads as empty.
 *
 * @throws {WaybillError} 'usage' when Git fails, or cannot read a file of the commit.
 */
export function committedFiles(root: string, paths: readonly string[]): Committed {
  if (findGitRoot(root) === undefined) return undefined
  // The input has one path per line.
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

/** Git answers alike for unreadable and uncommitted files, so look in the tree. */
function mustNotHold(root: string, paths: readonly string[]): void {
  // There is no tree before the first commit.
  if (askGit(root, ['for-each-ref', '--count=1']).length === 0) return
  const tree = askGit(root, [...AS_COMMITTED, 'ls-tree', '-z', 'HEAD', '--', ...paths])
  const [lost] = tree.toString().match(/(?<=^|\0)\d+ blob [^\0]+/) ?? []
  if (lost === undefined) return
  const [, path] = lost.split('\t', 2)
  throw new WaybillError('usage', `Git cannot read ${path} of the commit that is checked out`, {
    hint: 'git fsck shows what is missing; fetch it, or clone the repository again',
  })
}

/**
 * Parses one answer per path: `<id> blob <size>`, the bytes and a line end; `symlink <size>` or the like with its target;
 * or one line that says that it is missing.
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
