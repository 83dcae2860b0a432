import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { lookThrough } from './look.ts'
import { readOwnFile } from './read.ts'
import { realPath } from './root.ts'

/** What the files of a repository say without a Git process. */
export interface GitFolder {
  /** The checked-out branch; undefined for a detached head. */
  readonly branch: string | undefined
  /** Whether the clone lacks older commits. */
  readonly shallow: boolean
  /** The real path of the folder that all its worktrees share. */
  readonly common: string
}

/** A repository that keeps its references in another form has a placeholder that begins with a dot. */
const BRANCH = /^ref: refs\/heads\/(?!\.)(.+)\n$/
const DETACHED = /^[0-9a-f]{40,64}\n$/
const MOST_BYTES = 4096

/** Reads the files of the repository whose top is a folder; undefined where only Git can tell. */
export function readGitFolder(top: string): GitFolder | undefined {
  try {
    const own = resolve(top, pathIn(join(top, '.git')) ?? '.git')
    const head = textOf(join(own, 'HEAD')) ?? ''
    const branch = BRANCH.exec(head)?.[1]
    if (branch === undefined && !DETACHED.test(head)) return undefined
    // A linked worktree shares all but its head.
    const common = realPath(resolve(own, textOf(join(own, 'commondir'))?.trim() ?? '.'))
    if (!existsSync(join(common, 'objects'))) return undefined
    return { branch, shallow: existsSync(join(common, 'shallow')), common }
  } catch {
    return undefined
  }
}

/** The path in the file that a linked worktree or a submodule has in place of the folder. */
function pathIn(place: string): string | undefined {
  if (!lookThrough(place)?.isFile()) return undefined
  return textOf(place)
    ?.replace(/^gitdir: /, '')
    .trimEnd()
}

function textOf(file: string): string | undefined {
  return readOwnFile(file, MOST_BYTES)?.toString()
}
