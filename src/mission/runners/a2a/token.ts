import type { Kept } from '../../runner.ts'

/** The state kept while a remote agent works. */
export interface Token {
  readonly taskId: string
  readonly contextId: string
  /** The delay before the next check, in milliseconds. */
  readonly again: number
  /** The number of consecutive failed checks. */
  readonly missed: number
  /** The time used, in milliseconds; another machine with another clock may check next. */
  readonly used: number
}

/** The first and the longest delay, in milliseconds. */
const FIRST = 1000
const LONGEST = 60_000
const GROWTH = 1.5

/** The most consecutive failed checks. */
export const MOST_MISSED = 5

/** The next, longer delay, in milliseconds. */
export function nextPause(again: number | undefined): number {
  return again === undefined ? FIRST : Math.min(LONGEST, Math.round(again * GROWTH))
}

/** The longest id of a task or context, in UTF-16 units. */
const LONGEST_NAME = 1024

/** Reports whether an id can be stored: databases accept neither NUL nor lone surrogates. */
export function isName(name: string): boolean {
  return name.length <= LONGEST_NAME && !name.includes('\0') && !/\p{Cs}/u.test(name)
}

/** The time that a task has used, in milliseconds; an early check counts less than the planned delay. */
export function usedBy(kept: Kept | undefined): number {
  const token = readToken(kept?.token)
  return kept && token ? token.used + Math.min(kept.waited, token.again) : 0
}

/** Parses a token; undefined when it is not one of this runner. */
export function readToken(value: unknown): Token | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { taskId, contextId, again, missed, used } = value as Readonly<Record<string, unknown>>
  if (typeof taskId !== 'string' || typeof contextId !== 'string') return undefined
  return {
    taskId,
    contextId,
    again: typeof again === 'number' ? again : FIRST,
    missed: typeof missed === 'number' ? missed : 0,
    used: typeof used === 'number' ? used : 0,
  }
}
