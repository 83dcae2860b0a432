import type { Files } from '../contract/index.ts'

/** The line ends that a file was locked with, and those that it has. */
export interface OtherEnds {
  readonly locked: 'LF' | 'CRLF'
  readonly has: 'LF' | 'CRLF' | 'mixed'
}

/** How a file differs from what was locked if it does so in its line ends alone; its bytes as they are have a hash of their own. */
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
