/** What pins the prompts of a manifest: the lock that follows from it, how it differs from another, and its text. */
export { LOCK_CODES, type LockCode } from './codes.ts'
export { diffLocks, type LockDiff } from './diff.ts'
export { LOCKFILE_VERSION, nextLock } from './next.ts'
export { openPromptFiles, type PromptFiles } from './prompts.ts'
export { lockText } from './text.ts'
