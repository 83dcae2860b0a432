import { expect } from 'vitest'
import type { Outcome, RunContext } from '../src/mission/runner.ts'
import { a2aRunner } from '../src/mission/runners/a2a.ts'
import { type Instead, openA2aServer } from './a2a-server.ts'
import { assignmentOf } from './runner-suite.ts'

/** The token that the runner is given, which may stand nowhere but in a header. */
export const TOKEN = 'the-very-token-of-no-user-0123456789'

/** What a worker has in its environment. */
export const ENVIRONMENT = { AGENT_TOKEN: TOKEN, AGENT_WRONG: 'another-token-of-no-user-98765' }

/** An answer that an agent gives. */
export const ANSWER = { artifacts: [{ schema_name: 'worker_result', summary: 'done' }] }

const closing: (() => Promise<void>)[] = []

/** Closes a server when the test is over. */
export function closeLater(server: { close(): Promise<void> }): void {
  closing.push(server.close)
}

/** Closes what a test has opened. */
export async function closeAll(): Promise<void> {
  for (const close of closing.splice(0)) await close()
}

type Options = Parameters<typeof openA2aServer>[0]

/** An agent that does what its options say, and the runner for it. */
export async function openAgent(options: Options, config: Parameters<typeof a2aRunner>[0] = {}) {
  const server = await openA2aServer({ token: TOKEN, ...options })
  closeLater(server)
  const runner = a2aRunner({ url: server.url, token: 'AGENT_TOKEN', ...config }, { pause: 1 })
  const run = async (more: Partial<RunContext> = {}) => {
    const signal = new AbortController().signal
    const outcome = await runner.run(assignmentOf(), {
      root: '/',
      environment: ENVIRONMENT,
      signal,
      ...more,
    })
    expect(JSON.stringify(outcome)).not.toContain(TOKEN)
    return outcome
  }
  return { server, run }
}

/** What the runner is given when it looks again, after so many milliseconds. */
export const continuedFrom = (outcome: Outcome, waited = 0) => ({
  continued: {
    token: JSON.parse(JSON.stringify('token' in outcome ? outcome.token : null)),
    waited,
  },
})

/** Answers with some JSON at one path. */
export const jsonAt =
  (path: string, value: unknown, status = 200): Instead =>
  (request, response) => {
    if (request.url !== path) return false
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(typeof value === 'string' ? value : JSON.stringify(value))
    return true
  }
/** Where the card of an agent stands. */
export const WELL_KNOWN = '/.well-known/agent-card.json'
