import type { FinishReason } from 'ai'
import type { Budget, Outcome, Usage } from '../../runner.ts'
import { readAnswer } from '../answer.ts'
import { type Failure, failed } from '../failure.ts'
import { showing } from '../showing.ts'

/** What a model came to, over all rounds. */
export interface Said {
  /** The text of the last round. */
  readonly text: string
  readonly finish: FinishReason | undefined
  readonly usage: Usage | undefined
  /** That something that the model sent could not be read. */
  readonly isBroken: boolean
  /** That its provider said so itself in the middle, such as one that is overloaded. */
  readonly brokeOff: boolean
  /** How many bytes a text may have, where it has more. */
  readonly tooLong: number | undefined
  readonly rounds: number
}

interface About {
  readonly who: string
  readonly budget: Budget
  readonly key: string | undefined
}

/** Makes an outcome of what a model said. */
export async function settle(said: Said, { who, budget, key }: About): Promise<Outcome> {
  const why = whyNone(said, who)
  // What was cut off or never written for want of tokens is told as that.
  if (why) return (needsMore(said) ? spent(budget, said.usage) : undefined) ?? why
  return readAnswer(new TextEncoder().encode(unfenced(said.text.trim())), showing([key]))
}

/** That the tokens of a mission are used up, where they are. */
export function spent({ tokens }: Budget, usage: Usage | undefined): Failure | undefined {
  const sum = (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0)
  if (tokens === null || sum < tokens) return undefined
  return failed('mission/token-budget', 'the token budget of the mission is used up', false)
}

/** Of text and JSON some three to five bytes make a token: with this many nothing is refused that would have fitted. */
const BYTES_IN_TOKEN = 8

/** That what a model would have to read cannot fit into what is left of the tokens, so that it is not asked. */
export function tooMuch({ tokens }: Budget, told: readonly string[]): Failure | undefined {
  if (tokens === null) return undefined
  const bytes = told.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  const least = Math.ceil(bytes / BYTES_IN_TOKEN)
  if (least < tokens) return undefined
  const message = `what the model has to read takes ${least} tokens at least, and the mission has ${tokens} left`
  return failed('mission/token-budget', message, false)
}

const needsMore = ({ finish }: Said) => finish === 'length' || finish === 'tool-calls'

function whyNone(said: Said, who: string): Failure | undefined {
  if (said.tooLong !== undefined) {
    const message = `${who} wrote more than ${said.tooLong} bytes`
    return failed('mission/runner-overflow', message, true)
  }
  if (said.finish === 'tool-calls') {
    return none(`${who} called tools in ${said.rounds} rounds and gave no answer`)
  }
  if (said.brokeOff)
    return failed('mission/runner-unavailable', `the provider of ${who} broke off its answer`, true)
  if (said.isBroken) return none(`what ${who} sent does not follow the protocol of its provider`)
  if (said.finish === 'content-filter') {
    return failed('mission/runner-refused', `${who} refuses to do the task`, false)
  }
  if (said.finish === 'length') {
    return none(`the answer of ${who} was cut off: it is longer than the model may write`)
  }
  return said.text.trim() === '' ? none(`${who} gave an empty answer`) : undefined
}

function none(message: string): Failure {
  return failed('mission/runner-answer', message, true)
}

const FENCE = '```'

/** Models like to fence what they were asked to give alone. */
function unfenced(text: string): string {
  if (!text.startsWith(FENCE) || !text.endsWith(FENCE)) return text
  const first = text.indexOf('\n')
  return first < 0 ? text : text.slice(first + 1, -FENCE.length)
}
