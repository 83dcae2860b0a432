import { parseInstant } from '../../document/index.ts'

const STAMP = '([0-9]{4})(-?)([0-9]{2})\\2([0-9]{2})T([0-9]{2})\\2([0-9]{2})\\2([0-9]{2})Z-'
const STAMPED = new RegExp(`^${STAMP}.*\\.md$`)
const SLUG = new RegExp(`^${STAMP}[a-z0-9]+(?:-[a-z0-9]+)*\\.md$`)
/** `ADR-0.0.25-session-handoff`, but not the series `adr-0.0.x`. */
const PACKAGE = /^ADR-[0-9]+\.[0-9]+\.[0-9]+(?![^-])/i

/** The last part of a path. */
export function fileNameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Whether a document is in a folder `handoffs`, at any depth. */
export function isUnderHandoffs(path: string): boolean {
  return `/${path}`.includes('/handoffs/')
}

/** Whether a file name begins with a time, as names of handoff documents do. */
export function hasStampedName(path: string): boolean {
  return STAMPED.test(fileNameOf(path))
}

/** `HANDOFF.md`, `handoff-2026-02-11.md`. */
const NEAR = /^handoffs?(?:[-_. ].*)?\.(?:md|markdown)$/i

/** Whether a file name is near that of a handoff document: it begins with the word, or with a time. */
export function isNearHandoffName(path: string): boolean {
  return NEAR.test(fileNameOf(path)) || hasStampedName(path)
}

/** Whether a stamped name ends in a slug: lower-case letters and digits, joined by hyphens. */
export function hasSlug(path: string): boolean {
  return SLUG.test(fileNameOf(path))
}

/** The time at the start of a name, in milliseconds since the epoch. */
export function instantOfName(path: string): number | undefined {
  const match = STAMPED.exec(fileNameOf(path))
  if (!match) return undefined
  const [, year, , month, day, hour, minute, second] = match
  return parseInstant(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
}

/** The decision record of the folder above `handoffs`: `ADR-0.0.25`. */
export function packageOf(path: string): string | undefined {
  const folders = path.split('/').slice(0, -1)
  return PACKAGE.exec(folders[folders.lastIndexOf('handoffs') - 1] ?? '')?.[0].toUpperCase()
}
