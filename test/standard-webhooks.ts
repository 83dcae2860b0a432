import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** A request as a receiver gets it. */
export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** How far apart the clocks may be, in seconds. */
const TOLERANCE = 300

/** Verifies a request as the text of Standard Webhooks 1.0 has it: written after that text, and nothing else. */
export function isSignedBy({ headers, body }: Received, secret: string): boolean {
  const id = headers['webhook-id']
  const timestamp = headers['webhook-timestamp']
  const signatures = headers['webhook-signature']
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string')
    return false
  if (id.includes('.') || !/^[0-9]+$/.test(timestamp)) return false
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > TOLERANCE) return false
  const [prefix, encoded = ''] = secret.split('_')
  const key = prefix === 'whsec' ? Buffer.from(encoded, 'base64') : Buffer.from(secret, 'utf8')
  const mac = createHmac('sha256', key).update([id, timestamp, body].join('.')).digest()
  return signatures.split(' ').some(one => {
    const [version, base64 = ''] = one.split(',')
    const given = Buffer.from(base64, 'base64')
    return version === 'v1' && given.length === mac.length && timingSafeEqual(given, mac)
  })
}
