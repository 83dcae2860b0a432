import { type Context, type Finding, quote, type Rule } from '../contract/index.ts'
import {
  formatDuration,
  formatInstant,
  type Path,
  parseInstant,
  standardTimestamp,
} from '../document/index.ts'

/** How far another machine's clock may be ahead, in milliseconds. */
export const CLOCK_SKEW = 5 * 60 * 1000

/** A value and its path; the path is built on demand, since few are shown. */
class Placed {
  private readonly parent: Placed | undefined
  private readonly key: string | number
  readonly value: unknown

  constructor(parent: Placed | undefined, key: string | number, value: unknown) {
    this.parent = parent
    this.key = key
    this.value = value
  }

  get path(): Path {
    return this.parent ? [...this.parent.path, this.key] : []
  }
}

/** The values at a pointer pattern (`*` matches every member) with their paths; missing parts are skipped. */
export function valuesAt(root: unknown, pointer: string): readonly Placed[] {
  let places = [new Placed(undefined, '', root)]
  for (const key of keysOf(pointer)) {
    const next: Placed[] = []
    for (const place of places) step(place, key, next)
    places = next
  }
  return places
}

function step(place: Placed, key: string, next: Placed[]): void {
  const { value } = place
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    if (key === '*')
      for (let i = 0; i < value.length; i++) next.push(new Placed(place, i, value[i]))
    return
  }
  const fields = value as Record<string, unknown>
  if (key === '*') {
    for (const name of Object.keys(fields)) next.push(new Placed(place, name, fields[name]))
  } else if (Object.hasOwn(fields, key)) next.push(new Placed(place, key, fields[key]))
}

const keysByPointer = new Map<string, readonly string[]>()

/** Cached: rules use few patterns. */
function keysOf(pointer: string): readonly string[] {
  const known = keysByPointer.get(pointer)
  if (known) return known
  const keys = pointer.split('/').slice(1)
  keysByPointer.set(pointer, keys)
  return keys
}

/** The rule that times of past events are at most five minutes after now. */
export function noFutureTimes(...pointers: string[]): Rule<unknown> {
  return {
    severity: 'error',
    summary: 'The time of a past event is at most five minutes after now.',
    why: 'A document dated in the future has a wrong clock or was edited by hand, so its age and order are unknown.',
    reads: pointers,
    check(value: unknown, { now }: Context): Iterable<Finding> {
      const latest = secondOf(now + CLOCK_SKEW)
      const mayLieAhead = pointers.some(pointer =>
        valuesAt(value, pointer).some(
          ({ value: time }) => typeof time === 'string' && !isBefore(time, latest),
        ),
      )
      return mayLieAhead ? futureTimes(value, pointers, now) : []
    },
  }
}

function* futureTimes(value: unknown, pointers: readonly string[], now: number): Iterable<Finding> {
  for (const pointer of pointers) {
    for (const place of valuesAt(value, pointer)) {
      const time = place.value
      const instant = typeof time === 'string' ? parseInstant(time) : undefined
      if (instant === undefined || instant <= now + CLOCK_SKEW) continue
      yield {
        path: place.path,
        message: `${String(time)} is ${formatDuration(instant - now)} after now (${formatInstant(now)})`,
        hint: 'write the time at which it happened, in UTC or with an offset',
      }
    }
  }
}

/** The rule that times are written in the form that every reader understands. */
export function standardTimes(...pointers: string[]): Rule<unknown> {
  return {
    severity: 'warning',
    summary: 'Times are written like 2026-04-14T12:00:00Z, with hyphens, colons, `T` and seconds.',
    why: 'Many readers, and comparisons of texts, understand only this form.',
    reads: pointers,
    *check(value: unknown): Iterable<Finding> {
      for (const { path, value: time } of pointers.flatMap(at => [...valuesAt(value, at)])) {
        const standard = typeof time === 'string' ? standardTimestamp(time) : undefined
        if (standard === undefined || standard === time) continue
        yield {
          path,
          message: `${quote(time)} is not in the form that every reader understands`,
          hint: `write '${standard}'`,
        }
      }
    },
  }
}

/**
 * Returns whether a text, if it is a UTC timestamp, is certainly before a second, by comparing texts.
 *
 * Standard UTC timestamps begin with nineteen characters of one form; for equal ones and for other forms, it returns
 * false.
 */
function isBefore(time: string, second: string): boolean {
  return time < second && time[10] === 'T' && time.endsWith('Z')
}

let lastSecond = { instant: Number.NaN, text: '' }

/** The second of an instant as text; empty if a timestamp cannot express it. */
function secondOf(instant: number): string {
  if (lastSecond.instant !== instant) {
    const text = formatInstant(instant)
    lastSecond = { instant, text: parseInstant(text) === undefined ? '' : text.slice(0, 19) }
  }
  return lastSecond.text
}
