import type { HookEvent, Verdict } from '../../hooks/index.ts'
import accept from '../accept.ts'
import type { App } from '../operation.ts'
import { usesWaybill } from './gate.ts'

const SESSION_CONTEXT = /"source_agent"/

/** Receives the last message of a sub-agent as a session context, where it is one. */
export async function receiveMessage({ message, session }: HookEvent, app: App): Promise<Verdict> {
  const text = message && contextIn(message)
  if (!text || session === undefined || !usesWaybill(app.root)) return {}
  const stdin = () => Promise.resolve(new TextEncoder().encode(text))
  const output = await accept.run({ path: '-', session }, { ...app, stdin })
  return output.accepted
    ? { notice: 'Waybill accepted the session context of the sub-agent.' }
    : { notice: 'Waybill refused the session context of the sub-agent: it has errors.' }
}

/** The JSON of a message that is a session context, in a fence or by itself. */
function contextIn(message: string): string | undefined {
  const fenced = /^```(?:json)?\n([\s\S]*?)\n```$/m.exec(message)?.[1]
  const text = (fenced ?? message).trim()
  return text.startsWith('{') && SESSION_CONTEXT.test(text) ? text : undefined
}
