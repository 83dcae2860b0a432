import { createHmac } from 'node:crypto'
import { BlockList, isIP } from 'node:net'

/** A message to post, and how to sign it. */
export interface Posting {
  readonly url: string
  /** The signing secret: `whsec_` and base64, or any other text. */
  readonly secret: string
  /** The id by which the receiver recognizes a repeated message. */
  readonly id: string
  readonly body: string
  /** How long the receiver may take, in milliseconds; default 30 seconds. */
  readonly patience?: number | undefined
}

/** The result of sending a message. */
export interface Sent {
  readonly is: 'delivered' | 'failed' | 'retried'
  readonly code: string
  readonly message: string
  /** The delay that the receiver requests, in milliseconds. */
  readonly after?: number
}

/** The default timeout, in milliseconds. */
const LONGEST = 30_000
/** The shortest secret, in bytes, by Standard Webhooks. */
const SHORTEST_SECRET = 24

/**
 * Posts a message as Standard Webhooks defines it. Uses only the status and Retry-After of the response, never its
 * body.
 */
export async function postSigned(posting: Posting, signal: AbortSignal): Promise<Sent> {
  const { patience = LONGEST } = posting
  const unfit = whyUnfit(posting)
  if (unfit !== undefined) return retried('writeback/not-configured', unfit)
  const late = AbortSignal.timeout(patience)
  try {
    const response = await fetch(posting.url, {
      method: 'POST',
      body: posting.body,
      redirect: 'manual',
      headers: headersOf(posting, Math.floor(Date.now() / 1000)),
      signal: AbortSignal.any([late, signal]),
    })
    await response.body?.cancel().catch(() => {})
    return meaningOf(response.status, response.headers.get('retry-after'))
  } catch (error) {
    if (signal.aborted) throw error
    return late.aborted
      ? retried('writeback/timeout', `the receiver did not answer within ${patience / 1000} s`)
      : retried('writeback/unreachable', `the receiver cannot be reached (${codeOf(error)})`)
  }
}

/** Headers that authenticate the sender and identify the message. */
function headersOf({ secret, id, body }: Posting, seconds: number) {
  const mac = createHmac('sha256', keyOf(secret)).update(`${id}.${seconds}.${body}`)
  return {
    'content-type': 'application/json',
    'user-agent': 'waybill',
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1,${mac.digest('base64')}`,
  }
}

function keyOf(secret: string): Buffer {
  return secret.startsWith('whsec_')
    ? Buffer.from(secret.slice('whsec_'.length), 'base64')
    : Buffer.from(secret)
}

/** Never repeats the address or the secret: the address may contain a secret. */
function whyUnfit({ url, secret }: Posting): string | undefined {
  if (!URL.canParse(url)) return 'the webhook has no valid URL'
  const { protocol, hostname, username, password } = new URL(url)
  if (username !== '' || password !== '') return 'the webhook URL contains a user name or password'
  if (protocol !== 'https:' && !(protocol === 'http:' && isLoopback(hostname)))
    return 'the webhook URL does not begin with https://'
  return isTooShort(secret) ? `the webhook secret is ${TOO_SHORT}` : undefined
}

/** Describes a secret that is too short. */
export const TOO_SHORT = `shorter than ${SHORTEST_SECRET} bytes`

/** Reports whether a secret is too short to sign. */
export function isTooShort(secret: string): boolean {
  return keyOf(secret).length < SHORTEST_SECRET
}

function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  const version = isIP(host)
  if (version === 0) return host === 'localhost'
  const own = new BlockList()
  own.addSubnet('127.0.0.0', 8, 'ipv4')
  own.addAddress('::1', 'ipv6')
  return own.check(host, version === 4 ? 'ipv4' : 'ipv6')
}

/** Client error statuses that may pass. */
const PASSING = [408, 425, 429]

function meaningOf(status: number, retryAfter: string | null): Sent {
  if (status >= 200 && status < 300)
    return {
      is: 'delivered',
      code: 'writeback/delivered',
      message: `the receiver answered ${status}`,
    }
  if (status >= 500 || PASSING.includes(status)) {
    const after = pauseIn(retryAfter)
    const sent = retried('writeback/unavailable', `the receiver answered ${status}`)
    return { ...sent, ...(after !== undefined && { after }) }
  }
  if (status >= 300 && status < 400)
    return failed('writeback/redirected', `the receiver answered ${status}, a redirect`)
  return failed('writeback/refused', `the receiver answered ${status}`)
}

/** Parses a Retry-After header (RFC 9110, section 10.2.3), in milliseconds. */
function pauseIn(text: string | null): number | undefined {
  if (text === null) return undefined
  const ms = /^[0-9]{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined
}

/** A failed attempt worth retrying. */
export function retried(code: string, message: string): Sent {
  return { is: 'retried', code, message }
}

/** A failed attempt that would fail again. */
export function failed(code: string, message: string): Sent {
  return { is: 'failed', code, message }
}

/** Only the error code: the message may repeat the address. */
function codeOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  const { code } = (typeof cause === 'object' && cause !== null ? cause : {}) as { code?: unknown }
  return typeof code === 'string' && /^[A-Z0-9_]{1,60}$/.test(code) ? code : 'no connection'
}
