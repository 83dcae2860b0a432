import type { Context, Finding, Rule } from '../contract/index.ts'
import { formatDuration, formatInstant, type Path, parseInstant } from '../document/index.ts'

/** How far ahead of us another machine's clock may be before its times are refused. */
const CLOCK_SKEW = 5 * 60 * 1000

/** A value and where it stands. */
interface Placed {
  readonly path: Path
  readonly value: unknown
}

/** The values at a pointer pattern (`*` stands for every member) with their paths; what is not there is passed over. */
export function valuesAt(root: unknown, pointer: string): Placed[] {
  let places: Placed[] = [{ path: [], value: root }]
  for (const key of keysOf(pointer)) places = places.flatMap(place => step(place, key))
  return places
}

function step({ path, value }: Placed, key: string): Placed[] {
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) {
    return key === '*' ? value.map((item, i) => ({ path: [...path, i], value: item })) : []
  }
  const fields = value as Record<string, unknown>
  if (key !== '*') {
    return Object.hasOwn(fields, key) ? [{ path: [...path, key], value: fields[key] }] : []
  }
  return Object.keys(fields).map(name => ({ path: [...path, name], value: fields[name] }))
}

const keysByPointer = new Map<string, readonly string[]>()

/** Pointers are written in rules, so there are few, and each is taken apart once. */
function keysOf(pointer: string): readonly string[] {
  const known = keysByPointer.get(pointer)
  if (known) return known
  const keys = pointer.split('/').slice(1)
  keysByPointer.set(pointer, keys)
  return keys
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
