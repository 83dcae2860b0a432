import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { cannotRead, isMissing } from './fault.ts'

/** The files below a folder, as relative paths with slashes; skips files that disappear meanwhile. */
export function* filesBelow(folder: string, prefix = ''): Generator<string> {
  const place = join(folder, prefix)
  let entries: { name: string; isDirectory(): boolean }[]
  try {
    entries = readdirSync(place, { withFileTypes: true })
  } catch (cause) {
    if (isMissing(cause)) return
    throw cannotRead(place, cause)
  }
  entries.sort((one, other) => (one.name < other.name ? -1 : 1))
  for (const entry of entries) {
    const path = prefix === '' ? entry.name : `${prefix}/${entry.name}`
    if (entry.isDirectory()) yield* filesBelow(folder, path)
    else yield path
  }
}
