import type { Files } from '../contract/index.ts'

/** With which line ends a file has a hash that its bytes as they are have not, if with any. */
export function endsLockedWith(
  hash: string,
  path: string,
  files: Files,
): 'LF' | 'CRLF' | undefined {
  return (['LF', 'CRLF'] as const).find(ends => files.sha256OfLines?.(path, ends) === hash)
}
