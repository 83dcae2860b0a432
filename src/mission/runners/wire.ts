import { setTimeout as sleep } from 'node:timers/promises'
import type { Deadline } from './deadline.ts'
import { type Failure, failed } from './failure.ts'

/** Network rules for one agent. */
export interface Rules {
  /** The only allowed origin. */
  readonly origin: string
  /** The agent's name in messages. */
  readonly who: string
  /** The name of the credential in messages; never its value. */
  readonly proof: string
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>>
  readonly deadline: Deadline
  readonly limits: Limits
  /** Handles any other error status; without it the response is returned to the caller. */
  readonly refused?: (status: number, text: string, asked: string) => Failure | Again
}

/** Repeat the request with another body. */
interface Again {
  readonly is: 'again'
  readonly body: string
}

/** Limits of size, attempts and time. */
export interface Limits {
  /** The largest response, in bytes. */
  readonly bytes: number
  /** The longest silence, in milliseconds. */
  readonly silence: number
  /** The number of attempts when the service is busy. */
  readonly tries: number
  /** The delay before the second attempt, in milliseconds, unless the service requests another; doubles each time. */
  readonly pause: number
}

/** A restricted fetch, and the first failure. */
export interface Wire {
  readonly fetch: typeof globalThis.fetch
  failure(): Failure | undefined
}

/** How much of an error response is read. */
const MOST_REFUSAL = 65_536
/** The longest wait that may block a worker, in milliseconds. */
const LONGEST_PAUSE = 60_000
/** Too many requests, unavailable, overloaded. */
const BUSY = new Set([429, 503, 529])

/** Opens a restricted fetch for a runner: one origin, no redirects, limits on size, silence and attempts. */
export function openWire(rules: Rules): Wire {
  let first: Failure | undefined
  const fail = (what: Failure): never => {
    first ??= rules.deadline.ended() ?? what
    throw new Error(first.message)
  }
  return {
    fetch: async (input, init = {}) => {
      const url = new URL(input instanceof Request ? input.url : input)
      return url.origin === rules.origin ? ask(rules, fail, url, init) : fail(elsewhere(rules.who))
    },
    failure: () => first,
  }
}

async function ask(rules: Rules, fail: Fail, url: URL, asked: RequestInit): Promise<Response> {
  let init = asked
  for (let tried = 1; ; tried += 1) {
    const response = await once(rules, fail, url, init)
    if (response.ok) return response
    const text = (await response.text().catch(() => '')).slice(0, MOST_REFUSAL)
    const next = await answered(rules, response, text, tried, init.body)
    if (next.is === 'failed') return fail(next)
    if (next.is === 'passed') return new Response(text, response)
    if (next.is === 'again') init = { ...init, body: next.body }
  }
}

type Next = Failure | Again | { readonly is: 'passed' | 'waited' }

/** Decides what follows an error response, after waiting if the service is busy. */
async function answered(
  rules: Rules,
  response: Response,
  text: string,
  tried: number,
  asked: RequestInit['body'],
): Promise<Next> {
  const { status, headers } = response
  if (BUSY.has(status)) return waited(rules, headers, status, tried)
  if (status >= 300 && status < 400) return elsewhere(rules.who)
  if (status === 401 || status === 403) {
    return failed('mission/runner-refused', `${rules.who} did not accept ${rules.proof}`, false)
  }
  if (status >= 500 || status === 408) {
    return failed('mission/runner-unavailable', `${rules.who} answered with status ${status}`, true)
  }
  if (!rules.refused) return { is: 'passed' }
  return rules.refused(status, text, typeof asked === 'string' ? asked : '')
}

async function waited(rules: Rules, headers: Headers, status: number, tried: number) {
  const { tries, pause } = rules.limits
  // Never retry earlier than our own backoff.
  const ms = Math.max(pauseOf(headers) ?? 0, pause * 2 ** (tried - 1))
  if (tried >= tries || ms > LONGEST_PAUSE || ms >= rules.deadline.left()) {
    const often = tried === 1 ? 'once' : `${tried} times`
    const message = `${rules.who} is too busy: tried ${often}, it answered with status ${status}`
    return failed('mission/runner-unavailable', message, true)
  }
  // The signal ends the wait; the next request then fails with its reason.
  await sleep(ms, undefined, { signal: rules.deadline.signal }).catch(() => undefined)
  return { is: 'waited' } as const
}

/** The delay requested by the service (RFC 9110, 10.2.3), in milliseconds. */
function pauseOf(headers: Headers): number | undefined {
  const exact = headers.get('retry-after-ms') ?? ''
  if (/^[0-9]+([.][0-9]+)?$/.test(exact)) return Number(exact)
  const after = headers.get('retry-after') ?? ''
  if (/^[0-9]+$/.test(after)) return Number(after) * 1000
  // Date.parse accepts too much: "-5" would be a day in May.
  const ms = /^[A-Z][a-z]+,? /.test(after) ? Date.parse(after) - Date.now() : Number.NaN
  return Number.isNaN(ms) ? undefined : ms
}

type Fail = (what: Failure) => never

/** The status explains an error response; a truncated body must not replace that failure. */
const withoutTrace: Fail = ({ message }) => {
  throw new Error(message)
}

async function once(rules: Rules, fail: Fail, url: URL, init: RequestInit): Promise<Response> {
  const silence = watchSilence(rules.limits.silence)
  const headers = new Headers(init.headers)
  for (const [name, value] of Object.entries(rules.headers ?? {})) headers.set(name, value)
  const signals = [rules.deadline.signal, silence.signal, ...(init.signal ? [init.signal] : [])]
  let report = fail
  const broken = (error: unknown) => {
    silence.end()
    // The caller aborted: not a failure of the service.
    if (init.signal?.aborted) throw error
    return report(silence.signal.aborted ? silent(rules) : unreachable(rules.who, error))
  }
  try {
    const response = await fetch(url, {
      ...init,
      headers,
      redirect: 'manual',
      signal: AbortSignal.any(signals),
    })
    if (!response.ok) report = withoutTrace
    const body = response.body
      ? ReadableStream.from(counted(response.body, rules, report, silence, broken))
      : null
    return new Response(body, response)
  } catch (error) {
    return broken(error)
  }
}

async function* counted(
  body: AsyncIterable<Uint8Array>,
  rules: Rules,
  fail: Fail,
  silence: Silence,
  broken: (error: unknown) => never,
) {
  let bytes = 0
  const chunks = body[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await chunks.next().catch(broken)
      if (next.done) return
      silence.heard()
      bytes += next.value.length
      if (bytes > rules.limits.bytes) fail(tooLong(rules))
      yield next.value
    }
  } finally {
    silence.end()
    await chunks.return?.().catch(() => undefined)
  }
}

interface Silence {
  readonly signal: AbortSignal
  heard(): void
  end(): void
}

function watchSilence(ms: number): Silence {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), ms)
  return {
    signal: controller.signal,
    heard: () => void timer.refresh(),
    end: () => clearTimeout(timer),
  }
}

function silent({ who, limits }: Rules): Failure {
  const message = `${who} sent nothing for ${limits.silence / 1000} s`
  return failed('mission/runner-unavailable', message, true)
}

function tooLong({ who, limits }: Rules): Failure {
  return failed('mission/runner-overflow', `${who} sent more than ${limits.bytes} bytes`, true)
}

function elsewhere(who: string): Failure {
  const message = `${who} redirects, but only the configured URL is used`
  return failed('mission/runner-failed', message, false)
}

/** Node's codes for untrusted certificates; an alert concerns our own. */
const UNTRUSTED = /^(?!.*_ALERT_).*(?:CERT|UNABLE_TO_(?:GET|VERIFY))/
/** Certificates of an unknown authority. */
const UNKNOWN = /SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY)/
/** Descriptions of other certificate errors. */
const WRONG: ReadonlyMap<string, string> = new Map([
  ['CERT_HAS_EXPIRED', 'has expired'],
  ['CERT_NOT_YET_VALID', 'is not valid yet'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'is for another name'],
])

function unreachable(who: string, error: unknown): Failure {
  const cause = error instanceof Error ? error.cause : undefined
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  // Retrying does not change a certificate or protocol.
  if (UNTRUSTED.test(code)) {
    const what = WRONG.get(code) ?? 'is not trusted here'
    const advice = UNKNOWN.test(code) ? ': add its authority with NODE_EXTRA_CA_CERTS' : ''
    const message = `the certificate of ${who} ${what} (${code})${advice}`
    return failed('mission/runner-refused', message, false)
  }
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER')
    return failed('mission/runner-refused', `${who} does not speak https (${code})`, false)
  const why = code && ` (${code})`
  return failed('mission/runner-unavailable', `the connection to ${who} broke${why}`, true)
}
