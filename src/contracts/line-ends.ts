import type { Files } from '../contract/index.ts'

/** The line ends of the locked file, and of the file now. */
export interface OtherEnds {
  readonly locked: 'LF' | 'CRLF'
  readonly has: 'LF' | 'CRLF' | 'mixed'
}

/** The line ends before and after, if a file differs from the locked one in its line ends only. */
export function otherEnds(
  { path, hash }: { readonly path: string; readonly hash: string },
  lockedHash: string,
  files: Files,
): OtherEnds | undefined {
  const endsWith = (wanted: string) =>
    (['LF', 'CRLF'] as const).find(ends => files.sha256OfLines?.(path, ends) === wanted)
  const locked = endsWith(lockedHash)
  return locked && { locked, has: endsWith(hash) ?? 'mixed' }
}
