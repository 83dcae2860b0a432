/**
 * A clock that a test sets: `node --import jumping-clock.ts?<file>` moves what the whole process, and each of its threads,
 * takes for the time of day by as many milliseconds as stand in the file. What counts without a clock goes on as ever.
 */
import { readFileSync } from 'node:fs'

const file = decodeURIComponent(new URL(import.meta.url).search.slice(1))
const TimeOfDay = Date
const real = TimeOfDay.now
const now = () => real() + Number(readFileSync(file, 'utf8'))

globalThis.Date = new Proxy(TimeOfDay, {
  construct: (target, args, made) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, made),
  apply: () => new TimeOfDay(now()).toString(),
})
TimeOfDay.now = now
TimeOfDay.prototype.constructor = globalThis.Date
