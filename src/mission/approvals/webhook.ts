import { createHmac } from 'node:crypto'
import { BlockList, isIP } from 'node:net'

/** What is posted, and as what. */
export interface Posting {
  readonly url: string
  /** The text that signs: `whsec_` and base64, or any other. */
  readonly secret: string
  /** By which the receiver knows it again. */
  readonly id: string
  readonly body: string
  /** How long the receiver may take, in milliseconds; 30 seconds when absent. */
  readonly patience?: number | undefined
}

/** What came of sending something. */
export interface Sent {
  readonly is: 'delivered' | 'failed' | 'retried'
  readonly code: string
  readonly message: string
  /** Milliseconds that the other side asks to be left alone. */
  readonly after?: number
}

/** How long a receiver may take, in milliseconds. */
const LONGEST = 30_000
/** The least that signs well, in bytes: see Standard Webhooks. */
const SHORTEST_SECRET = 24

/**
 * Posts a text as Standard Webhooks have it. What the receiver answers is never read: its status counts, and how long it
 * asks to be left alone.
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
    // However much it is, and whatever it says.
    await response.body?.cancel().catch(() => {})
    return meaningOf(response.status, response.headers.get('retry-after'))
  } catch (error) {
    if (signal.aborted) throw error
    return late.aborted
      ? retried('writeback/timeout', `the receiver has not answered within ${patience / 1000} s`)
      : retried('writeback/unreachable', `the receiver cannot be reached (${codeOf(error)})`)
  }
}

/** The headers by which a receiver tells who has sent it, and that it has it already. */
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

/** Neither the address nor the secret is repeated: the one may hold the other. */
function whyUnfit({ url, secret }: Posting): string | undefined {
  if (!URL.canParse(url)) return 'the webhook has no address'
  const { protocol, hostname, username, password } = new URL(url)
  if (username !== '' || password !== '')
    return 'the address of the webhook holds a name or a password'
  if (protocol !== 'https:' && !(protocol === 'http:' && isLoopback(hostname)))
    return 'the address of the webhook does not begin with https://'
  return isTooShort(secret) ? `the secret of the webhook is ${TOO_SHORT}` : undefined
}

/** What is said of a secret that signs nothing. */
export const TOO_SHORT = `shorter than ${SHORTEST_SECRET} bytes`

/** Whether a secret has fewer bytes than it takes to sign. */
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

/** Refusals that may be none the next time. */
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
    return failed('writeback/redirected', `the receiver answered ${status}: look elsewhere`)
  return failed('writeback/refused', `the receiver answered ${status}`)
}

/** What a Retry-After header asks for, in milliseconds (RFC 9110, section 10.2.3). */
function pauseIn(text: string | null): number | undefined {
  if (text === null) return undefined
  const ms = /^[0-9]{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined
}

/** A try that failed, and may not fail the next time. */
export function retried(code: string, message: string): Sent {
  return { is: 'retried', code, message }
}

/** A try that failed, as every other would. */
export function failed(code: string, message: string): Sent {
  return { is: 'failed', code, message }
}

/** The code of the failure alone: its words may repeat the address. */
function codeOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  const { code } = (typeof cause === 'object' && cause !== null ? cause : {}) as { code?: unknown }
  return typeof code === 'string' && /^[A-Z0-9_]{1,60}$/.test(code) ? code : 'no connection'
}
