import type { Path } from './document.ts'
import { maskSecrets } from './secrets.ts'

/** Writes a path as a JSON Pointer (RFC 6901); the root is the empty string. */
export function formatPointer(path: Path): string {
  return path.map(part => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** Writes a path as a JSON Pointer that may be shown: the keys are masked before escapes hide what they hold. */
export function maskedPointer(path: Path): string {
  return formatPointer(path.map(part => (typeof part === 'string' ? maskSecrets(part) : part)))
}

/** Reads a JSON Pointer (RFC 6901) as a path of keys; a missing first slash is forgiven. */
export function parsePointer(pointer: string): string[] {
  if (pointer === '') return []
  const parts = (pointer.startsWith('/') ? pointer.slice(1) : pointer).split('/')
  return parts.map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}
