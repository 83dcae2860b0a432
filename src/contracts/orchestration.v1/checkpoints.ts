import { parseInstant } from '../../document/index.ts'
import type { Orchestration } from './schema.ts'

/** The checkpoints that may be the last: by time if all have one, else the last in the list. */
export function latestCheckpoints(
  entries: NonNullable<NonNullable<Orchestration['checkpoints']>['entries']>,
): string[] {
  const times = entries.map(({ timestamp }) => parseInstant(timestamp ?? ''))
  if (times.includes(undefined)) return entries.slice(-1).map(({ id }) => id)
  const last = times.reduce<number>(
    (max, time) => Math.max(max, time ?? max),
    Number.NEGATIVE_INFINITY,
  )
  return entries.filter((_, i) => times[i] === last).map(({ id }) => id)
}

/** The last checkpoint: from the entries, or without entries from the document's own statement. */
export function lastCheckpoints(checkpoints: Orchestration['checkpoints']): string[] | undefined {
  const { entries, latest_id } = checkpoints ?? {}
  if (entries) return latestCheckpoints(entries)
  return latest_id ? [latest_id] : undefined
}
