import type * as Ai from 'ai'
import type { Usage } from '../../runner.ts'
import { isCount } from '../answer.ts'
import type { Said } from './outcome.ts'

/** Follows the stream of a model to its end; a text that is too long ends it early. */
export async function follow(
  stream: AsyncIterable<Ai.TextStreamPart<Ai.ToolSet>>,
  mostBytes: number,
  over: AbortController,
): Promise<Said> {
  const heard: Heard = {
    steps: [],
    pieces: [],
    bytes: 0,
    finish: undefined,
    isBroken: false,
    brokeOff: false,
  }
  try {
    for await (const part of stream) {
      if (!over.signal.aborted) hear(heard, part)
      // Ended at its source: whoever merely turned away would be waited for by it.
      if (heard.bytes > mostBytes) over.abort()
    }
  } catch {
    heard.isBroken = true
  }
  const { steps, pieces, bytes, finish, isBroken, brokeOff } = heard
  const tooLong = bytes > mostBytes ? mostBytes : undefined
  const usage = sumOf(steps)
  return { text: pieces.join(''), finish, usage, isBroken, brokeOff, tooLong, rounds: steps.length }
}

interface Heard {
  readonly steps: Round[]
  readonly pieces: string[]
  bytes: number
  finish: Ai.FinishReason | undefined
  isBroken: boolean
  brokeOff: boolean
}

function hear(heard: Heard, part: Ai.TextStreamPart<Ai.ToolSet>): void {
  switch (part.type) {
    case 'start-step':
      heard.pieces.length = 0
      heard.finish = undefined
      return
    case 'text-delta':
      heard.pieces.push(part.text)
      heard.bytes += Buffer.byteLength(part.text)
      return
    case 'finish-step':
      heard.steps.push(part)
      heard.isBroken ||= !isSound(part)
      heard.finish ??= part.finishReason
      return
    case 'error':
      if (isNamed(part.error, 'AI_ToolChoiceViolationError')) heard.finish = 'tool-calls'
      else if (isNamed(part.error, 'AI_StreamProviderError')) heard.brokeOff = true
      else heard.isBroken = true
      return
    default:
  }
}

/** The library names what it finds: tools called in a round that offered none, and errors that a provider itself has sent. */
function isNamed(error: unknown, name: string): boolean {
  return error instanceof Error && error.name === name
}

/** Whether what a round is said to have used up can be; a provider need not say. */
function isSound({ usage: { inputTokens, outputTokens } }: Round): boolean {
  return [inputTokens, outputTokens].every(count => count === undefined || isCount(count))
}

interface Round {
  readonly usage: Ai.LanguageModelUsage
}

/** What several rounds used up, as far as that can be; nothing where the provider does not say. */
export function sumOf(steps: readonly Round[]): Usage | undefined {
  const told = steps.flatMap(({ usage: { inputTokens, outputTokens } }) =>
    inputTokens === undefined && outputTokens === undefined
      ? []
      : [{ inputTokens: soundOf(inputTokens), outputTokens: soundOf(outputTokens) }],
  )
  if (told.length === 0) return undefined
  return {
    inputTokens: told.reduce((sum, { inputTokens }) => sum + inputTokens, 0),
    outputTokens: told.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
  }
}

function soundOf(count: number | undefined): number {
  return isCount(count) ? count : 0
}
