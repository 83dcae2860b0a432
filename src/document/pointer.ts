import type { Path } from './document.ts'

/** Writes a path as a JSON Pointer (RFC 6901); the root is the empty string. */
export function formatPointer(path: Path): string {
  return path.map(part => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** Reads a JSON Pointer (RFC 6901) as a path of keys; a missing first slash is forgiven. */
export function parsePointer(pointer: string): string[] {
  if (pointer === '') return []
  const parts = (pointer.startsWith('/') ? pointer.slice(1) : pointer).split('/')
  return parts.map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}
