/** The part of the night in which nobody is texted, by the clock where the recipient lives; it may pass over midnight. */
export interface QuietHours {
  /** The first quiet minute, as HH:MM. */
  readonly start: string
  /** The first minute that is no longer quiet, as HH:MM. */
  readonly end: string
}

/** What a clinic has that chose nothing else. */
export const DEFAULT_QUIET_HOURS: QuietHours = { start: '21:00', end: '08:00' }

const MINUTE = 60_000
/** A reminder that comes later than this before its appointment is no help. */
const NOTICE = 120 * MINUTE

/**
 * When a reminder is really sent: as planned, or else in the morning, or the evening before if the morning is too late.
 *
 * The zone is the recipient's, such as Europe/Lisbon.
 */
export function outsideQuietHours(
  planned: Date,
  appointment: Date,
  zone: string,
  quiet: QuietHours = DEFAULT_QUIET_HOURS,
): Date {
  const isQuiet = quietIn(zone, quiet)
  if (!isQuiet(planned)) return planned
  const morning = leave(planned, MINUTE, isQuiet)
  const inTime = appointment.getTime() - morning.getTime() >= NOTICE
  return inTime ? morning : leave(planned, -MINUTE, isQuiet)
}

/** Goes minute by minute, because on two days of the year an hour is missing or comes twice. */
function leave(from: Date, step: number, isQuiet: (time: Date) => boolean): Date {
  let time = new Date(Math.floor(from.getTime() / MINUTE) * MINUTE)
  while (isQuiet(time)) time = new Date(time.getTime() + step)
  return time
}

function quietIn(zone: string, { start, end }: QuietHours): (time: Date) => boolean {
  const clock = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  return time => {
    const local = clock.format(time)
    return start <= end ? local >= start && local < end : local >= start || local < end
  }
}
