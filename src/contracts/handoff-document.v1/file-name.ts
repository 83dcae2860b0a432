import { parseInstant } from '../../document/index.ts'

const STAMP = '([0-9]{4})(-?)([0-9]{2})\\2([0-9]{2})T([0-9]{2})\\2([0-9]{2})\\2([0-9]{2})Z-'
const STAMPED = new RegExp(`^${STAMP}.*\\.md$`)
const WELL_FORMED = new RegExp(`^${STAMP}[a-z0-9]+(?:-[a-z0-9]+)*\\.md$`)

/** The last part of a path. */
export function fileNameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Whether a document stands in a folder `handoffs`, at any depth. */
export function isUnderHandoffs(path: string): boolean {
  return path.split('/').slice(0, -1).includes('handoffs')
}

/** Whether a file's name begins with a time, as the names of handoff documents do. */
export function hasStampedName(path: string): boolean {
  return STAMPED.test(fileNameOf(path))
}

/** The time in a well-formed name of a handoff document, in milliseconds since the epoch. */
export function instantOfName(path: string): number | undefined {
  const match = WELL_FORMED.exec(fileNameOf(path))
  if (!match) return undefined
  const [, year, , month, day, hour, minute, second] = match
  return parseInstant(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
}
