/** The lockfile that pins a manifest's prompts: how it is made, compared and written. */
export { LOCK_CODES, type LockCode } from './codes.ts'
export { diffLocks, type LockDiff } from './diff.ts'
export { LOCKFILE_VERSION, nextLock } from './next.ts'
export { openPromptFiles, type PromptFiles } from './prompts.ts'
export { lockText } from './text.ts'
