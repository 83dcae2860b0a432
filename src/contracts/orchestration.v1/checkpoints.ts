import { parseInstant } from '../../document/index.ts'
import type { Orchestration } from './schema.ts'

/** The checkpoints that can be called the last: by their times where all have one, else the one listed last. */
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

/** What the document shows to be the last: by its entries, or where none are listed, by what it calls the latest itself. */
export function lastCheckpoints(checkpoints: Orchestration['checkpoints']): string[] | undefined {
  const { entries, latest_id } = checkpoints ?? {}
  if (entries) return latestCheckpoints(entries)
  return latest_id ? [latest_id] : undefined
}
