import type { CacheComparison } from '../../session/index.ts'
import { type FoundCache, shown } from './ground.ts'
import type { RepoCacheFileOutput } from './ground-output.ts'

/** Returns the RepoCacheFile part of a state for a compared cache. */
export function cachePart(
  { written, read }: FoundCache,
  { valid, reason, gitHeadMatch, repoSignatureMatch }: CacheComparison,
): RepoCacheFileOutput {
  const loaded = !('refused' in read)
  return {
    SourcePath: shown(written),
    TargetPath: shown(written),
    Loaded: loaded,
    Valid: valid,
    InvalidationReason: shown(reason),
    GitHead: loaded ? read.gitHead : 'unknown',
    RepoSignature: loaded ? read.repoSignature : 'unknown',
    GitHeadMatch: gitHeadMatch,
    RepoSignatureMatch: repoSignatureMatch,
    LastUpdated: loaded ? read.lastUpdated : 'unknown',
    FileStatus: valid ? 'not-applicable' : 'write-requested',
  }
}
