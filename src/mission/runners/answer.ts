import { decode, readDocuments } from '../../document/index.ts'
import type { Outcome, Usage } from '../runner.ts'
import { failed } from './failure.ts'

/** How many faults of an answer are named. */
const NAMED = 3

/**
 * Reads what an agent wrote as its answer: exactly one JSON document, strictly, in UTF-8.
 *
 * A member `usage` of an answer that is an object says what was used up, and is no part of the answer. `show` makes
 * fit to be shown what is said of a faulty one.
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
  return refused(show(named?.join('; ') ?? 'there is nothing'), show(text))
}

function withUsage(value: unknown, written: () => string): Outcome {
  if (!isObject(value) || !Object.hasOwn(value, 'usage')) return { is: 'returned', answer: value }
  const { usage, ...answer } = value
  if (!isUsage(usage))
    return refused(
      `'usage' has to be { inputTokens, outputTokens }, two whole numbers from 0 to ${MOST_TOKENS}`,
      written(),
    )
  const { inputTokens, outputTokens } = usage
  return { is: 'returned', answer, usage: { inputTokens, outputTokens } }
}

function refused(why: string, written: string): Outcome {
  const message = `the answer is not one sound JSON document: ${why}`
  return { ...failed('mission/runner-answer', message, true), written }
}

/** More than all models together can have read; sums of such numbers are still exact. */
const MOST_TOKENS = 1e12

/** Whether a number of tokens can be one. */
export function isCount(count: unknown): count is number {
  return Number.isInteger(count) && Number(count) >= 0 && Number(count) <= MOST_TOKENS
}

function isUsage(value: unknown): value is Usage {
  return isObject(value) && isCount(value.inputTokens) && isCount(value.outputTokens)
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
