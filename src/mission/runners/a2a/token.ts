import type { Kept } from '../../runner.ts'

/** What is kept while a remote agent works. */
export interface Token {
  readonly taskId: string
  readonly contextId: string
  /** After how many milliseconds it was to be looked at. */
  readonly again: number
  /** How often in a row it could not be looked at. */
  readonly missed: number
  /** How much of its time it had had, in milliseconds: another process may look at it next, on a machine with another clock. */
  readonly used: number
}

/** Milliseconds: the first look, and the longest pause. */
const FIRST = 1000
const LONGEST = 60_000
const GROWTH = 1.5

/** How often in a row a look may fail. */
export const MOST_MISSED = 5

/** The pause before the next look, which grows. */
export function nextPause(again: number | undefined): number {
  return again === undefined ? FIRST : Math.min(LONGEST, Math.round(again * GROWTH))
}

/** The longest name of a task or a context that is kept, in UTF-16 units. */
const LONGEST_NAME = 1024

/** Whether a name can be kept as it is: databases take neither NUL nor half of a character. */
export function isName(name: string): boolean {
  return name.length <= LONGEST_NAME && !name.includes('\0') && !/\p{Cs}/u.test(name)
}

/** How much of its time a task has had; whoever looks early finds that less has gone by than was to be waited. */
export function usedBy(kept: Kept | undefined): number {
  const token = readToken(kept?.token)
  return kept && token ? token.used + Math.min(kept.waited, token.again) : 0
}

/** Reads what was kept; nothing where it is not ours. */
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
