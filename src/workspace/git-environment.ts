import { existsSync, realpathSync } from 'node:fs'
import { dirname, isAbsolute } from 'node:path'

/** Whose settings count, which Git runs, and how far up it looks; none of them names a repository. */
const KEPT = /^GIT_(?:CONFIG_.+|EXEC_PATH|CEILING_DIRECTORIES|DISCOVERY_ACROSS_FILESYSTEM)$/

/**
 * The environment that Git is run in: the folder says which repository is meant.
 *
 * The hooks of another repository set GIT_DIR and its like, and then its commits would be taken for those of this one.
 */
export function gitEnvironment(index?: string): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('GIT_') || KEPT.test(name),
  )
  return { ...Object.fromEntries(kept), ...(index !== undefined && { GIT_INDEX_FILE: index }) }
}

/** The index of the commit that is under way, which Git hands to its hooks; `gitFolder` is that of the repository. */
export function indexUnderWay(gitFolder: () => string): string | undefined {
  const { GIT_INDEX_FILE: index } = process.env
  if (!index || !isAbsolute(index)) return index || undefined
  const folder = dirname(index)
  // A hook of another repository hands on the index of that one.
  const isOfAnother = existsSync(`${folder}/HEAD`) && realpathSync(folder) !== gitFolder()
  return isOfAnother ? undefined : index
}
