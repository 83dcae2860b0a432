/**
 * Files, Git and configuration: the environment as facts for rules.
 *
 * May not contain rules.
 */

export { readBlobs } from './blobs.ts'
export { changedFiles, filesChangedAfter, type StagedFile, stagedFiles } from './changed.ts'
export { committedFiles } from './committed.ts'
export {
  bytesOf,
  type ConfigFault,
  configurationError,
  loadConfig,
  parseConfig,
  readConfig,
} from './config/load.ts'
export type { Config } from './config/schema.ts'
export { sha256, sha256OfStream } from './digest.ts'
export { openFiles } from './files.ts'
export {
  type Commit,
  currentBranch,
  gitState,
  type History,
  headCommit,
  historyOf,
  isIgnoredByGit,
  isInHead,
  isMergedByCommit,
  isNamedByMerge,
  isTracked,
  userName,
} from './git.ts'
export type { GitListing } from './git-listing.ts'
export { readIgnore } from './ignored.ts'
export { checkedOutAs } from './line-ends.ts'
export { type Listed, listFiles } from './listing.ts'
export { holdLock } from './lock.ts'
export { cannotRead, cannotWrite, hintOf, lookAt, lookThrough, reasonOf, refused } from './look.ts'
export { type HashedFile, hashFile, readHead, readOwnFile, versionOf } from './read.ts'
export { hasWaitingRecords, type Recorded, readRecords, record } from './records.ts'
export {
  CONFIG_FILE,
  findGitRoot,
  findRoot,
  pathFromRoot,
  realPath,
  rootOfAll,
  spelledBelow,
} from './root.ts'
export {
  lookInState,
  openStateFolder,
  rootOfWorktree,
  STATE_FOLDER,
  stateFolder,
  worktreeOf,
} from './state.ts'
export { swapAtomically } from './swap.ts'
export { ignoredBy, walk } from './walk.ts'
export { createAtomically, makeFolders, removeLeft, writeAtomically } from './write.ts'
