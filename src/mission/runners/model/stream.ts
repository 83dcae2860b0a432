import type * as Ai from 'ai'
import type { Usage } from '../../runner.ts'
import { isCount } from '../answer.ts'
import type { Said } from './outcome.ts'

/** Reads the stream of a model to its end, or aborts when the text is too long. */
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
      // Abort the source: leaving the loop would wait for it.
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
      heard.isBroken ||= !hasValidUsage(part)
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

/** Matches SDK errors by name: tool calls in a round without tools, and errors sent by the provider. */
function isNamed(error: unknown, name: string): boolean {
  return error instanceof Error && error.name === name
}

/** Whether the reported usage is plausible; it may be absent. */
function hasValidUsage({ usage: { inputTokens, outputTokens } }: Round): boolean {
  return [inputTokens, outputTokens].every(count => count === undefined || isCount(count))
}

interface Round {
  readonly usage: Ai.LanguageModelUsage
}

/** The usage of several rounds; undefined when not reported. */
export function sumOf(steps: readonly Round[]): Usage | undefined {
  const reported = steps.flatMap(({ usage: { inputTokens, outputTokens } }) =>
    inputTokens === undefined && outputTokens === undefined
      ? []
      : [{ inputTokens: validCount(inputTokens), outputTokens: validCount(outputTokens) }],
  )
  if (reported.length === 0) return undefined
  return {
    inputTokens: reported.reduce((sum, { inputTokens }) => sum + inputTokens, 0),
    outputTokens: reported.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
  }
}

function validCount(count: number | undefined): number {
  return isCount(count) ? count : 0
}
