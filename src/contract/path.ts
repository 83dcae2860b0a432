import type { Path } from '../document/index.ts'

/** Whether an invalid path is at, above or below one of the pointers (`*` is any member). */
export function touches(path: Path, pointers: readonly string[]): boolean {
  return pointers.some(pointer => {
    const keys = pointer === '' ? [] : pointer.slice(1).split('/')
    const shared = Math.min(keys.length, path.length)
    return keys.slice(0, shared).every((key, i) => key === '*' || key === String(path[i]))
  })
}

/** How many keys of a path exist. */
export function existing(root: unknown, path: Path): number {
  let value = root
  let depth = 0
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return depth
    value = (value as Record<string | number, unknown>)[key]
    depth++
  }
  return depth
}

/** The value at a path; `undefined` if it does not exist. */
export function partAt(root: unknown, path: Path): unknown {
  let value = root
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<string | number, unknown>)[key]
  }
  return value
}
