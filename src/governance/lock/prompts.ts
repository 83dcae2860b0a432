import { join } from 'node:path'
import type { Files } from '../../contract/index.ts'
import { type HashedFile, hashFile, openFiles, versionOf } from '../../workspace/index.ts'

/** The files under a root, each hashed once. */
export interface PromptFiles extends Files {
  /** The paths of files that changed after they were hashed. */
  changed(): readonly string[]
}

/**
 * Opens a repository's files for locking and verifying; reads each of thousands of prompts once. Files with a cached
 * hash are read again only if they changed.
 */
export function openPromptFiles(root: string, known = new Map<string, HashedFile>()): PromptFiles {
  const files = openFiles(root)
  const hashed = new Map<string, HashedFile | undefined>()
  const read = (path: string): HashedFile | undefined => {
    if (files.kindOf(path) !== 'file') return undefined
    try {
      const file = join(root, path)
      const before = known.get(path)
      if (before && versionOf(file) === before.version) return before
      const now = hashFile(file)
      if (now.isSettled) known.set(path, now)
      return now
    } catch {
      return undefined
    }
  }
  return {
    kindOf: files.kindOf,
    matches: files.matches,
    ...(files.sha256OfLines && { sha256OfLines: files.sha256OfLines }),
    sha256: path => {
      if (!hashed.has(path)) hashed.set(path, read(path))
      return hashed.get(path)?.sha256
    },
    changed: () =>
      [...hashed].flatMap(([path, was]) => (was && !isStill(join(root, path), was) ? [path] : [])),
  }
}

function isStill(file: string, { version }: HashedFile): boolean {
  try {
    return versionOf(file) === version
  } catch {
    return false
  }
}
