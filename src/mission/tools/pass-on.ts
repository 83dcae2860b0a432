import { quote } from '../../contract/index.ts'
import type { Missions } from '../config.ts'
import { faultInValue } from './arguments.ts'
import { type Given, quoteResult, textOf } from './result.ts'
import { secretsOf } from './secrets.ts'
import type { Servers } from './servers.ts'

/** The limit of a server's error message, in bytes. */
const ERROR_BYTES = 2048

/** The result of a call. */
export interface Outcome {
  readonly isError: boolean
  readonly text: string
  readonly given?: Given
}

/** The means to pass a call on. */
interface Line {
  readonly servers: Servers
  readonly signal: AbortSignal
  readonly missions: Pick<Missions, 'servers'>
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** An allowed call. */
interface Call {
  /** The tool's name in missions, and on its server. */
  readonly tool: string
  readonly name: string
  readonly server: string
  readonly ref: string
  /** The limit of its result, in bytes. */
  readonly bytes: number
}

/** Passes a call on to its server. Throws when the signal aborts. */
export async function passOn(
  { servers, signal, missions, environment }: Line,
  { tool, ref, server, name, bytes }: Call,
  given: Readonly<Record<string, unknown>>,
): Promise<Outcome> {
  const its = `its server, ${quote(server)},`
  const listed = await servers.tools(server, signal)
  if (listed.is === 'failed') return noResult(tool, `${its} ${listed.why}`)
  const known = listed.tools.get(name)
  if (!known) return noResult(tool, `${its} has no such tool`)
  const fault = faultInValue(known.inputSchema, given)
  if (fault !== undefined) return noResult(tool, fault)
  const called = await servers.call({ server, name, given, signal })
  const frame = { ref, tool, secrets: secretsOf(missions.servers?.[server], environment) }
  if (called.is === 'answered') {
    const isError = called.result.isError === true
    const answer = quoteResult(textOf(called.result), bytes, { ...frame, isError })
    return { isError, text: answer.text, given: answer }
  }
  const failed = noResult(tool, `${its} ${called.why}`)
  if (called.said === undefined) return failed
  const answer = quoteResult(called.said, ERROR_BYTES, { ...frame, isError: true })
  return { isError: true, text: `${failed.text}\n${answer.text}`, given: answer }
}

/** The outcome of a call without a result. */
export function noResult(tool: string, why: string): Outcome {
  return { isError: true, text: `The tool ${quote(tool)} gave no result: ${why}.` }
}
