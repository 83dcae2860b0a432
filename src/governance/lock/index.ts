/** What pins the prompts of a manifest: the lock that follows from it, how it differs from another, and its text. */
export { LOCK_CODES, type LockCode } from './codes.ts'
export { diffLocks, type LockDiff, type Pinned } from './diff.ts'
export { LOCKFILE_VERSION, type LockBasis, nextLock } from './next.ts'
export { openPromptFiles, type PromptFiles } from './prompts.ts'
export { lockText, type WrittenLock } from './text.ts'
