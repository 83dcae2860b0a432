import { outsideQuietHours, type QuietHours } from './quiet-hours.ts'

/** A reminder that the gateway has not taken yet. */
export interface Waiting {
  readonly appointment: Date
  /** The recipient's time zone. */
  readonly zone: string
  /** How often it was tried. */
  readonly attempts: number
}

const FIRST_DELAY = 5 * 60_000
const MOST_ATTEMPTS = 6

/** When to try again after a failure; nothing when it was tried often enough or would come after the appointment. */
export function nextAttempt(
  failedAt: Date,
  { appointment, zone, attempts }: Waiting,
  quiet?: QuietHours,
): Date | undefined {
  if (attempts >= MOST_ATTEMPTS) return undefined
  const later = new Date(failedAt.getTime() + FIRST_DELAY * 2 ** attempts)
  const time = outsideQuietHours(later, appointment, zone, quiet)
  // The evening before is over by the time that a night's attempt has failed.
  return time > failedAt && time < appointment ? time : undefined
}
