import type { Path } from './document.ts'
import { maskSecrets } from './secrets.ts'

/** Formats a path as a JSON Pointer (RFC 6901); the root is the empty string. */
export function formatPointer(path: Path): string {
  return path.map(part => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** Formats a path as a JSON Pointer for display; masks secrets in keys before escaping. */
export function maskedPointer(path: Path): string {
  return formatPointer(path.map(part => (typeof part === 'string' ? maskSecrets(part) : part)))
}

/** Parses a JSON Pointer (RFC 6901) into keys; tolerates a missing first slash. */
export function parsePointer(pointer: string): string[] {
  if (pointer === '') return []
  const parts = (pointer.startsWith('/') ? pointer.slice(1) : pointer).split('/')
  return parts.map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}
