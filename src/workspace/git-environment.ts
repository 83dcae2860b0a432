import { existsSync, realpathSync } from 'node:fs'
import { dirname, isAbsolute } from 'node:path'

/** Variables about user settings, the Git installation and how far up it searches; none names a repository. */
const KEPT = /^GIT_(?:CONFIG_.+|EXEC_PATH|CEILING_DIRECTORIES|DISCOVERY_ACROSS_FILESYSTEM)$/

/**
 * The environment to run Git in: the folder selects the repository.
 *
 * Hooks of another repository set GIT_DIR and the like, which would select that repository instead.
 */
export function gitEnvironment(index?: string): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('GIT_') || KEPT.test(name),
  )
  return { ...Object.fromEntries(kept), ...(index !== undefined && { GIT_INDEX_FILE: index }) }
}

/** The index of the current commit, which Git passes to hooks; `gitFolder` is that of the repository. */
export function indexUnderWay(gitFolder: () => string): string | undefined {
  const { GIT_INDEX_FILE: index } = process.env
  if (!index || !isAbsolute(index)) return index || undefined
  const folder = dirname(index)
  // A hook of another repository passes the index of that repository.
  const isOfAnother = existsSync(`${folder}/HEAD`) && realpathSync(folder) !== gitFolder()
  return isOfAnother ? undefined : index
}
