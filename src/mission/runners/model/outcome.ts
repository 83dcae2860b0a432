import type { FinishReason } from 'ai'
import type { Budget, Outcome, Usage } from '../../runner.ts'
import { readAnswer } from '../answer.ts'
import { type Failure, failed } from '../failure.ts'
import { showing } from '../showing.ts'

/** The output of a model over all rounds. */
export interface Said {
  /** The text of the last round. */
  readonly text: string
  readonly finish: FinishReason | undefined
  readonly usage: Usage | undefined
  /** Whether part of the response was unreadable. */
  readonly isBroken: boolean
  /** Whether the provider reported an error mid-stream, such as overload. */
  readonly brokeOff: boolean
  /** The exceeded limit in bytes, if any. */
  readonly tooLong: number | undefined
  readonly rounds: number
}

interface About {
  readonly who: string
  readonly budget: Budget
  readonly key: string | undefined
}

/** Converts the output of a model to an outcome. */
export async function settle(said: Said, { who, budget, key }: About): Promise<Outcome> {
  const why = whyNone(said, who)
  // A cut-off answer may be due to the token budget.
  if (why) return (needsMore(said) ? spent(budget, said.usage) : undefined) ?? why
  return readAnswer(new TextEncoder().encode(unfenced(said.text.trim())), showing([key]))
}

/** The failure of a used-up token budget. */
export function spent({ tokens }: Budget, usage: Usage | undefined): Failure | undefined {
  const sum = (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0)
  if (tokens === null || sum < tokens) return undefined
  return failed('mission/token-budget', 'the token budget of the mission is used up', false)
}

/** A token has three to five bytes of text or JSON; eight never refuses a prompt that would fit. */
const BYTES_IN_TOKEN = 8

/** The failure of a prompt that cannot fit into the remaining tokens. */
export function tooMuch({ tokens }: Budget, texts: readonly string[]): Failure | undefined {
  if (tokens === null) return undefined
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  const least = Math.ceil(bytes / BYTES_IN_TOKEN)
  if (least < tokens) return undefined
  const message = `the prompt needs at least ${least} tokens, but the mission has ${tokens} left`
  return failed('mission/token-budget', message, false)
}

const needsMore = ({ finish }: Said) => finish === 'length' || finish === 'tool-calls'

function whyNone(said: Said, who: string): Failure | undefined {
  if (said.tooLong !== undefined) {
    const message = `${who} wrote more than ${said.tooLong} bytes`
    return failed('mission/runner-overflow', message, true)
  }
  if (said.finish === 'tool-calls') {
    return none(`${who} called tools in ${said.rounds} rounds without giving an answer`)
  }
  if (said.brokeOff)
    return failed('mission/runner-unavailable', `the provider of ${who} aborted the answer`, true)
  if (said.isBroken) return none(`the response of ${who} does not follow the provider's protocol`)
  if (said.finish === 'content-filter') {
    return failed('mission/runner-refused', `${who} refused to do the task`, false)
  }
  if (said.finish === 'length') {
    return none(`the answer of ${who} was cut off at the output limit of the model`)
  }
  return said.text.trim() === '' ? none(`${who} gave an empty answer`) : undefined
}

function none(message: string): Failure {
  return failed('mission/runner-answer', message, true)
}

const FENCE = '```'

/** Removes a code fence around the answer. */
function unfenced(text: string): string {
  if (!text.startsWith(FENCE) || !text.endsWith(FENCE)) return text
  const first = text.indexOf('\n')
  return first < 0 ? text : text.slice(first + 1, -FENCE.length)
}
