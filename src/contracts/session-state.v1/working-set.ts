import { normalPath } from '../paths.ts'
import type { SessionState } from './schema.ts'

/** Longer texts are not paths on any file system; the limit also bounds the search for folders. */
const LONGEST_PATH = 4096

/** Whether any text inside a value is that long. */
export function someText(value: unknown, isSuch: (text: string) => boolean): boolean {
  const open = [value]
  while (open.length > 0) {
    const next = open.pop()
    if (typeof next === 'string' && isSuch(next)) return true
    // Spreading would put every entry on the call stack.
    if (typeof next === 'object' && next !== null) for (const v of Object.values(next)) open.push(v)
  }
  return false
}

/** Whether a text names a path or a file. */
export function namesPath(text: string): boolean {
  return /[A-Za-z0-9_}]\/[A-Za-z0-9_.*{]|[A-Za-z0-9_-]\.[A-Za-z][A-Za-z0-9]{1,9}(?![A-Za-z0-9])/.test(
    text,
  )
}

/** The path of an entry of the working set or the planned files, without its reason. */
export function pathOf(entry: unknown): string | undefined {
  const written = writtenPath(entry)
  return written === undefined ? undefined : normalPath(written)
}

/** The path as written, even if it is outside the repository. */
export function writtenPath(entry: unknown): string | undefined {
  const text = typeof entry === 'object' && entry !== null ? pathKey(entry) : entry
  if (typeof text !== 'string') return undefined
  const trimmed = text.trim()
  const end = trimmed.search(/\s/)
  const first = end === -1 ? trimmed : trimmed.slice(0, end)
  return first.length > LONGEST_PATH ? undefined : first.replace(/[:,;]$/, '')
}

/** Whether an entry contains more than its path; in a map, any other key counts. */
export function givesReason(entry: unknown): boolean {
  if (typeof entry === 'string') return /\S\s+\S/.test(entry)
  if (typeof entry !== 'object' || entry === null) return false
  let missing = pathAsKey(entry) === undefined ? 2 : 1
  return someText(entry, text => text.trim() !== '' && --missing === 0)
}

function pathKey(entry: object): unknown {
  const { path, Path, file, File } = entry as Record<string, unknown>
  return path ?? Path ?? file ?? File ?? pathAsKey(entry)
}

/** `- src/orders: the reason` without quotes is a map whose only key is the path. */
function pathAsKey(entry: object): string | undefined {
  const [key, ...more] = Object.keys(entry)
  return key !== undefined && more.length === 0 && namesPath(key) ? key : undefined
}

/** The planned files outside the working set, with their list positions. */
export function plannedOutside({
  WorkingSet = [],
  TouchedSurface,
}: SessionState): { path: string; index: number }[] {
  const places = new Set<string>()
  for (const entry of WorkingSet) {
    const path = pathOf(entry)
    // A glob counts as the folder before its first wildcard.
    if (path !== undefined) places.add((path.split('*', 1)[0] ?? '').replace(/\/$/, ''))
  }
  return (TouchedSurface?.FilesPlanned ?? []).flatMap((entry, index) => {
    const path = pathOf(entry)
    return path === undefined || liesIn(path, places) ? [] : [{ path, index }]
  })
}

function liesIn(path: string, places: ReadonlySet<string>): boolean {
  if (places.has('') || places.has(path)) return true
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    if (places.has(path.slice(0, end))) return true
  }
  return false
}
