import { decode, readDocuments } from '../../document/index.ts'
import type { Outcome, Usage } from '../runner.ts'
import { failed } from './failure.ts'

/** The most parse errors in a message. */
const NAMED = 3

/**
 * Parses an agent's output as exactly one JSON document in UTF-8. Removes `usage` from an object and returns it
 * separately. `show` makes text safe to display.
 */
export async function readAnswer(
  bytes: Uint8Array,
  show: (text: string) => string,
): Promise<Outcome> {
  const { text, faults } = decode(bytes)
  const { documents } = await readDocuments(text, 'json', faults)
  const [document] = documents
  if (document && document.faults.length === 0) return withUsage(document.value, () => show(text))
  const named = document?.faults.slice(0, NAMED).map(({ message, span }) => {
    const { line, character } = document.range(span).start
    return `${line + 1}:${character + 1} ${message}`
  })
  return refused(show(named?.join('; ') ?? 'it is empty'), show(text))
}

function withUsage(value: unknown, written: () => string): Outcome {
  if (!isObject(value) || !Object.hasOwn(value, 'usage')) return { is: 'returned', answer: value }
  const { usage, ...answer } = value
  if (!isUsage(usage))
    return refused(
      `'usage' must be { inputTokens, outputTokens }, integers from 0 to ${MOST_TOKENS}`,
      written(),
    )
  const { inputTokens, outputTokens } = usage
  return { is: 'returned', answer, usage: { inputTokens, outputTokens } }
}

function refused(why: string, written: string): Outcome {
  const message = `the agent's output is not valid JSON: ${why}`
  return { ...failed('mission/runner-answer', message, true), written }
}

/** A generous limit whose sums are still exact. */
const MOST_TOKENS = 1e12

/** Reports whether a value is a valid token count. */
export function isCount(count: unknown): count is number {
  return Number.isInteger(count) && Number(count) >= 0 && Number(count) <= MOST_TOKENS
}

function isUsage(value: unknown): value is Usage {
  return isObject(value) && isCount(value.inputTokens) && isCount(value.outputTokens)
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
