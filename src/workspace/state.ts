import { statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { commonGitFolder } from './git.ts'

/** The name of the folder with local state. */
export const STATE_FOLDER = '.waybill'

/** Where local state stands: at the root, or for a linked Git worktree at the root of the repository it belongs to. */
export function stateFolder(root: string): string {
  // Only a linked worktree or a submodule has a file there.
  if (!statSync(join(root, '.git'), { throwIfNoEntry: false })?.isFile())
    return join(root, STATE_FOLDER)
  const common = commonGitFolder(root)
  return join(common && basename(common) === '.git' ? dirname(common) : root, STATE_FOLDER)
}
