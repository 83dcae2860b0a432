const YEAR = '(?!0000)[0-9]{4}'
const LEAP_HUNDRED = '(?:0[48]|[2468][048]|[13579][26])'
const LEAP_YEAR = `(?:[0-9]{2}${LEAP_HUNDRED}|${LEAP_HUNDRED}00)`
const HOUR_OF_DAY = '(?:[01][0-9]|2[0-3])'
const SIXTY = '[0-5][0-9]'

/** A date that exists, its parts joined by a hyphen or by nothing. */
function dateJoinedBy(hyphen: string): string {
  const commonDay = [
    `(?:0[13578]|1[02])${hyphen}(?:0[1-9]|[12][0-9]|3[01])`,
    `(?:0[469]|11)${hyphen}(?:0[1-9]|[12][0-9]|30)`,
    `02${hyphen}(?:0[1-9]|1[0-9]|2[0-8])`,
  ].join('|')
  return `(?:${YEAR}${hyphen}(?:${commonDay})|${LEAP_YEAR}${hyphen}02${hyphen}29)`
}

const DATE = dateJoinedBy('-')
const HOUR_MINUTE = `${HOUR_OF_DAY}:${SIXTY}`

/**
 * Matches the RFC 3339 date-times that all readers understand alike; also used in schemas and other languages.
 *
 * Works in JavaScript and Python `re`, where `$` also matches before a final line break and `\d` matches any Unicode
 * digit. `T` and an upper-case `Z` or an offset, seconds, years 0001 to 9999, valid dates, no leap seconds.
 */
export const TIMESTAMP_PATTERN = `^${DATE}T${HOUR_MINUTE}:[0-5][0-9](?:\\.[0-9]+)?(?:Z|[+-]${HOUR_MINUTE})(?![\\s\\S])`

/**
 * Matches `TIMESTAMP_PATTERN` and the other forms of ISO 8601 that people and tools write.
 *
 * These are the basic form (`20260302T093000Z`), no seconds, a blank in the place of `T`, and an offset without colon.
 */
export const LOOSE_TIMESTAMP_PATTERN = `^(?:${DATE}[T ]${HOUR_MINUTE}(?::${SIXTY}(?:\\.[0-9]+)?)?|${dateJoinedBy('')}[T ]${HOUR_OF_DAY}${SIXTY}(?:${SIXTY}(?:\\.[0-9]+)?)?)(?:Z|[+-]${HOUR_OF_DAY}:?${SIXTY})(?![\\s\\S])`

const TIMESTAMP = new RegExp(TIMESTAMP_PATTERN)
const LOOSE_TIMESTAMP = new RegExp(LOOSE_TIMESTAMP_PATTERN)
const PARTS =
  /^([0-9]{4})-?([0-9]{2})-?([0-9]{2})[T ]([0-9]{2}):?([0-9]{2}):?([0-9]{2})?(\.[0-9]+)?(Z|[+-][0-9]{2}):?([0-9]{2})?/

/** The same time in the form of `TIMESTAMP_PATTERN`; `undefined` for a text that is no time. */
export function standardTimestamp(text: string): string | undefined {
  if (TIMESTAMP.test(text)) return text
  const parts = LOOSE_TIMESTAMP.test(text) ? PARTS.exec(text) : null
  if (!parts) return undefined
  const [, year, month, day, hour, minute, second = '00', fraction = '', zone, rest] = parts
  return `${year}-${month}-${day}T${hour}:${minute}:${second}${fraction}${zone}${rest ? `:${rest}` : ''}`
}

const ZERO = 0x30

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** 400 Gregorian years repeat exactly; years start in March, so that a leap day is the last of its year. */
const DAYS_PER_ERA = 146_097
const EPOCH_DAY = 719_468

function dayNumber(year: number, month: number, day: number): number {
  const shifted = month > 2 ? year : year - 1
  const era = Math.floor(shifted / 400)
  const yearOfEra = shifted - era * 400
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1
  const dayOfEra =
    yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * DAYS_PER_ERA + dayOfEra - EPOCH_DAY
}

function dateOfDay(dayIndex: number): { year: number; month: number; day: number } {
  const days = dayIndex + EPOCH_DAY
  const era = Math.floor(days / DAYS_PER_ERA)
  const dayOfEra = days - era * DAYS_PER_ERA
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  )
  const dayOfYear =
    dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153)
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1,
  }
}

/**
 * Parses a timestamp of `LOOSE_TIMESTAMP_PATTERN` to milliseconds since the epoch; `undefined` for any other text.
 *
 * Truncates fractions after the third digit, since rounding could move a time into the next second.
 */
export function parseInstant(written: string): number | undefined {
  const text = standardTimestamp(written)
  if (text === undefined) return undefined
  const day = dayNumber(
    twoDigits(text, 0) * 100 + twoDigits(text, 2),
    twoDigits(text, 5),
    twoDigits(text, 8),
  )
  const time =
    twoDigits(text, 11) * HOUR + twoDigits(text, 14) * MINUTE + twoDigits(text, 17) * SECOND
  const zoneStart = text.endsWith('Z') ? text.length - 1 : text.length - 6
  const fraction =
    zoneStart > 19 ? Number(text.slice(20, Math.min(zoneStart, 23)).padEnd(3, '0')) : 0
  return day * DAY + time + fraction - offsetAt(text, zoneStart)
}

function offsetAt(text: string, start: number): number {
  if (text[start] === 'Z') return 0
  const size = twoDigits(text, start + 1) * HOUR + twoDigits(text, start + 4) * MINUTE
  return text[start] === '-' ? -size : size
}

/** Parses a number without allocating a substring. */
function twoDigits(text: string, at: number): number {
  return (text.charCodeAt(at) - ZERO) * 10 + text.charCodeAt(at + 1) - ZERO
}

/** Formats milliseconds since the epoch as an RFC 3339 timestamp in UTC; omits a zero fraction. */
export function formatInstant(ms: number): string {
  const whole = Math.floor(ms)
  const dayIndex = Math.floor(whole / DAY)
  const { year, month, day } = dateOfDay(dayIndex)
  const rest = whole - dayIndex * DAY
  const digits = (value: number, width = 2) => String(value).padStart(width, '0')
  const clock = [rest / HOUR, (rest % HOUR) / MINUTE, (rest % MINUTE) / SECOND]
    .map(value => digits(Math.floor(value)))
    .join(':')
  const fraction = rest % SECOND === 0 ? '' : `.${digits(rest % SECOND, 3)}`
  return `${digits(year, 4)}-${digits(month)}-${digits(day)}T${clock}${fraction}Z`
}

/** Formats an age in milliseconds: `26 hours ago`, or for a time to come `88 seconds ahead of this clock`. */
export function formatAge(ms: number): string {
  return `${formatDuration(ms)} ${ms < 0 ? 'ahead of this clock' : 'ago'}`
}

const UNITS = [
  ['day', DAY],
  ['hour', HOUR],
  ['minute', MINUTE],
  ['second', SECOND],
] as const

/**
 * Formats a duration in milliseconds for people: `3 days`, `26 hours`, `12 minutes`.
 *
 * Drops the sign. A unit is used from two of it on, or for exactly one, so that 26 hours do not become "1 day"; the
 * rest is truncated.
 */
export function formatDuration(ms: number): string {
  const size = Math.abs(ms)
  for (const [name, length] of UNITS) {
    if (size === length) return `1 ${name}`
    if (size >= 2 * length) return `${Math.floor(size / length)} ${name}s`
  }
  return size >= SECOND ? '1 second' : '0 seconds'
}
