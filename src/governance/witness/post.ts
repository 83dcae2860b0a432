import { WaybillError } from '../../error.ts'
import type { WitnessFault } from './codes.ts'

/** The response to a request. */
export interface Reply {
  readonly status: number
  readonly text: string
}

/** The timeout, and a signal that aborts the request. */
export interface Patience {
  /** In milliseconds, for the whole response. */
  readonly timeout: number
  readonly signal?: AbortSignal | undefined
}

/** A hundred signatures are far shorter. */
const MOST_BYTES = 65_536

/** Parses the base URL of a witness. */
export function readPrefix(text: string | undefined): URL | WitnessFault {
  if (text === undefined) return { code: 'witness/no-url', detail: 'the policy has no URL' }
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.password) {
    // Do not repeat it: it may contain a password.
    const detail = 'its URL does not use https:, or contains a user name'
    return { code: 'witness/no-url', detail }
  }
  if (url.protocol === 'https:' || isNear(url.hostname)) return url
  return { code: 'witness/insecure-url', detail: `'${text}' is not encrypted` }
}

/** Loopback and private networks. */
const NEAR = [
  ['127.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['::1', 128, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
] as const

function isNear(hostname: string): boolean {
  const { BlockList, isIP } = process.getBuiltinModule('node:net')
  const host = hostname.replace(/^\[|\]$/g, '')
  const version = isIP(host)
  if (version === 0) return host === 'localhost'
  const near = new BlockList()
  for (const [network, prefix, family] of NEAR) near.addSubnet(network, prefix, family)
  return near.check(host, version === 4 ? 'ipv4' : 'ipv6')
}

/** Posts a text and reads the response, within limits of size and time and without redirects. */
export async function postText(
  url: URL,
  body: string,
  { timeout, signal }: Patience,
): Promise<Reply | WitnessFault> {
  const late = AbortSignal.timeout(timeout)
  try {
    const response = await fetch(url, {
      method: 'POST',
      body,
      redirect: 'manual',
      headers: { 'content-type': 'text/plain; charset=utf-8' },
      signal: signal ? AbortSignal.any([late, signal]) : late,
    })
    const { status } = response
    if (status >= 300 && status < 400) {
      await response.body?.cancel()
      return { code: 'witness/redirected', detail: `it answers ${status} (redirect)` }
    }
    return await readReply(status, response.body)
  } catch (error) {
    if (signal?.aborted)
      throw new WaybillError('interrupted', 'interrupted while waiting for witnesses')
    if (late.aborted)
      return { code: 'witness/timeout', detail: `no answer within ${timeout / 1000} s` }
    return { code: 'witness/unreachable', detail: `cannot be reached (${reasonOf(error)})` }
  }
}

async function readReply(
  status: number,
  body: AsyncIterable<Uint8Array> | null,
): Promise<Reply | WitnessFault> {
  const chunks: Uint8Array[] = []
  let length = 0
  // Leaving the loop closes the connection.
  for await (const chunk of body ?? []) {
    length += chunk.length
    if (length > MOST_BYTES)
      return { code: 'witness/answer-too-large', detail: `more than ${MOST_BYTES} bytes` }
    chunks.push(chunk)
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
    return { status, text }
  } catch {
    return { code: 'witness/answer-malformed', detail: 'the answer is not UTF-8' }
  }
}

function reasonOf(error: unknown): string {
  const { cause } = error as { cause?: { code?: string; message?: string } }
  return cause?.code ?? cause?.message ?? String(error)
}
