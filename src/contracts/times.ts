import type { Context, Finding, Rule } from '../contract/index.ts'
import { formatDuration, formatInstant, type Path, parseInstant } from '../document/index.ts'

/** How far ahead of us another machine's clock may be before its times are refused. */
const CLOCK_SKEW = 5 * 60 * 1000

/** The values at a pointer pattern (`*` stands for every member) with their paths; what is not there is passed over. */
export function* valuesAt(
  root: unknown,
  pointer: string,
): Generator<{ path: Path; value: unknown }> {
  yield* descend(root, pointer.split('/').slice(1), [])
}

function* descend(
  value: unknown,
  keys: readonly string[],
  path: Path,
): Generator<{ path: Path; value: unknown }> {
  const [key, ...rest] = keys
  if (key === undefined) {
    yield { path, value }
  } else if (Array.isArray(value) && key === '*') {
    for (const [i, item] of value.entries()) yield* descend(item, rest, [...path, i])
  } else if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const fields = value as Record<string, unknown>
    const names = key === '*' ? Object.keys(fields) : Object.hasOwn(fields, key) ? [key] : []
    for (const name of names) yield* descend(fields[name], rest, [...path, name])
  }
}

/** The rule that a time which states what happened lies at most five minutes after now. */
export function noFutureTimes(...pointers: string[]): Rule<unknown> {
  return {
    severity: 'error',
    summary: 'A time that states what happened does not lie more than five minutes after now.',
    why: 'A document from the future was dated by a wrong clock or by hand; its age and its order among others cannot be trusted.',
    reads: pointers,
    *check(value: unknown, { now }: Context): Iterable<Finding> {
      for (const pointer of pointers) {
        for (const { path, value: time } of valuesAt(value, pointer)) {
          const instant = typeof time === 'string' ? parseInstant(time) : undefined
          if (instant === undefined || instant <= now + CLOCK_SKEW) continue
          yield {
            path,
            message: `${String(time)} is ${formatDuration(instant - now)} after now (${formatInstant(now)})`,
            hint: 'write the time at which it happened, in UTC or with its offset',
          }
        }
      }
    },
  }
}
