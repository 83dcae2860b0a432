import { setTimeout as sleep } from 'node:timers/promises'
import type { Deadline } from './deadline.ts'
import { type Failure, failed } from './failure.ts'

/** What may go over the network for one agent, and for how long. */
export interface Rules {
  /** The only origin that is asked. */
  readonly origin: string
  /** Whom a message names. */
  readonly who: string
  /** What a message calls that which proves who asks; never that itself. */
  readonly proof: string
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>
  readonly deadline: Deadline
  readonly limits: Limits
  /** What to make of any other refusal; without it whoever asked is given it as it is. */
  readonly refused?: (status: number, text: string, asked: string) => Failure | Again
}

/** That the same is asked once more, in other words. */
interface Again {
  readonly is: 'again'
  readonly body: string
}

/** How much, how often and how long. */
export interface Limits {
  /** Bytes of one response. */
  readonly bytes: number
  /** Milliseconds without a byte. */
  readonly silence: number
  /** How often is asked where too much is asked. */
  readonly tries: number
  /** Milliseconds before the second try, where the other side does not say; doubled each time. */
  readonly pause: number
}

/** A connection with rules, and what went wrong on it first. */
export interface Wire {
  readonly fetch: typeof globalThis.fetch
  failure(): Failure | undefined
}

/** How much of a refusal is read. */
const MOST_REFUSAL = 65_536
/** A longer rest than this is none for who holds the place of a worker, in milliseconds. */
const LONGEST_PAUSE = 60_000
/** Too many requests, unavailable, overloaded. */
const BUSY = new Set([429, 503, 529])

/** Opens the only way over which a runner asks anybody: one origin, no redirects, with limits on size, silence and tries. */
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

/** What follows from a refusal; where it is only of the moment, after having waited. */
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
    return failed('mission/runner-refused', `${rules.who} does not accept ${rules.proof}`, false)
  }
  if (status >= 500 || status === 408) {
    return failed('mission/runner-unavailable', `${rules.who} answers with status ${status}`, true)
  }
  if (!rules.refused) return { is: 'passed' }
  return rules.refused(status, text, typeof asked === 'string' ? asked : '')
}

async function waited(rules: Rules, headers: Headers, status: number, tried: number) {
  const { tries, pause } = rules.limits
  // Whoever asks for less rest than we give by ourselves is not asked sooner.
  const ms = Math.max(pauseOf(headers) ?? 0, pause * 2 ** (tried - 1))
  if (tried >= tries || ms > LONGEST_PAUSE || ms >= rules.deadline.left()) {
    const often = tried === 1 ? 'once' : `${tried} times`
    const message = `${rules.who} is too busy: asked ${often}, it answers with status ${status}`
    return failed('mission/runner-unavailable', message, true)
  }
  // A signal ends the pause; the next request then fails with the reason.
  await sleep(ms, undefined, { signal: rules.deadline.signal }).catch(() => undefined)
  return { is: 'waited' } as const
}

/** Milliseconds after which the other side wants to be asked again (RFC 9110, 10.2.3), where it says so as anybody does. */
function pauseOf(headers: Headers): number | undefined {
  const exact = headers.get('retry-after-ms') ?? ''
  if (/^[0-9]+([.][0-9]+)?$/.test(exact)) return Number(exact)
  const after = headers.get('retry-after') ?? ''
  if (/^[0-9]+$/.test(after)) return Number(after) * 1000
  // Of what is no date much would be taken for one: -5 for a day in May.
  const ms = /^[A-Z][a-z]+,? /.test(after) ? Date.parse(after) - Date.now() : Number.NaN
  return Number.isNaN(ms) ? undefined : ms
}

type Fail = (what: Failure) => never

/** What a refusal means its status says: that its words broke off is no failure beside it, of what is asked once more least of all. */
const withoutTrace: Fail = ({ message }) => {
  throw new Error(message)
}

async function once(rules: Rules, fail: Fail, url: URL, init: RequestInit): Promise<Response> {
  const silence = watchSilence(rules.limits.silence)
  const headers = new Headers(init.headers)
  for (const [name, value] of Object.entries(rules.headers ?? {})) headers.set(name, value)
  const signals = [rules.deadline.signal, silence.signal, ...(init.signal ? [init.signal] : [])]
  let told = fail
  const broken = (error: unknown) => {
    silence.end()
    // Whoever asked wants no more of it: that is no fault of the other side.
    if (init.signal?.aborted) throw error
    return told(silence.signal.aborted ? silent(rules) : unreachable(rules.who, error))
  }
  try {
    const response = await fetch(url, {
      ...init,
      headers,
      redirect: 'manual',
      signal: AbortSignal.any(signals),
    })
    if (!response.ok) told = withoutTrace
    const body = response.body
      ? ReadableStream.from(counted(response.body, rules, told, silence, broken))
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
  const message = `${who} has been silent for ${limits.silence / 1000} s`
  return failed('mission/runner-unavailable', message, true)
}

function tooLong({ who, limits }: Rules): Failure {
  return failed('mission/runner-overflow', `${who} sent more than ${limits.bytes} bytes`, true)
}

function elsewhere(who: string): Failure {
  const message = `${who} sends elsewhere; only the configured address is asked`
  return failed('mission/runner-failed', message, false)
}

/** What Node says of certificates that it does not take; an alert is said by the other side, of ours. */
const UNTRUSTED = /^(?!.*_ALERT_).*(?:CERT|UNABLE_TO_(?:GET|VERIFY))/
/** Those whose authority nobody here knows. */
const UNKNOWN = /SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY)/
/** What is wrong with others, where that can be said in words. */
const WRONG: ReadonlyMap<string, string> = new Map([
  ['CERT_HAS_EXPIRED', 'has expired'],
  ['CERT_NOT_YET_VALID', 'is not valid yet'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'is for another name'],
])

function unreachable(who: string, error: unknown): Failure {
  const cause = error instanceof Error ? error.cause : undefined
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  // Nobody waits for another certificate, or until https is spoken.
  if (UNTRUSTED.test(code)) {
    const what = WRONG.get(code) ?? 'does not count here'
    const advice = UNKNOWN.test(code) ? ': its authority may be named in NODE_EXTRA_CA_CERTS' : ''
    const message = `the certificate of ${who} ${what} (${code})${advice}`
    return failed('mission/runner-refused', message, false)
  }
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER')
    return failed('mission/runner-refused', `${who} does not speak https (${code})`, false)
  const why = code && ` (${code})`
  return failed('mission/runner-unavailable', `the connection to ${who} broke${why}`, true)
}
