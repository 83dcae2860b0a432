import { expect } from 'vitest'
import type { Assignment, RunContext, Tools } from '../src/mission/runner.ts'
import { modelRunner } from '../src/mission/runners/model.ts'
import { openModelServer, type Protocol, type Reply } from './model-server.ts'
import { assignmentOf } from './runner-suite.ts'

/** The key that the runner is given, which may stand nowhere but in a header. */
export const KEY = 'the-very-key-of-no-user-0123456789'

/** An answer that a model gives. */
export const ANSWER = { artifacts: [{ schema_name: 'worker_result', summary: 'done' }] }

/** The protocols that models are asked in. */
export const PROTOCOLS: readonly Protocol[] = ['openai-compatible', 'anthropic']

const ROUTE = 'tier_high_reasoning'

/** One model, under the route that the example of a prompt package names. */
export function modelsAt(url: string, provider: Protocol, model = 'small-1') {
  return { [ROUTE]: { provider, model, url, key: 'MODEL_KEY' } }
}

interface Asking {
  readonly provider?: Protocol
  readonly model?: string
  readonly config?: Parameters<typeof modelRunner>[0]
  readonly limits?: Parameters<typeof modelRunner>[2]
  readonly assignment?: Partial<Assignment>
  readonly runContext?: Partial<RunContext>
}

/** Has a model do a task that replies as its options say; the outcome never holds the key. */
export async function askModel(replies: readonly Reply[], asking: Asking = {}) {
  const { provider = 'openai-compatible', config = {}, limits = { pause: 1 } } = asking
  const server = await openModelServer(...replies)
  try {
    const outcome = await modelRunner(
      config,
      modelsAt(server.url, provider, asking.model),
      limits,
    ).run(assignmentOf(asking.assignment), {
      root: '/',
      environment: { MODEL_KEY: KEY },
      signal: new AbortController().signal,
      ...asking.runContext,
    })
    expect(JSON.stringify(outcome)).not.toContain(KEY)
    return { outcome, asked: server.asked }
  } finally {
    await server.close()
  }
}

/** A good reply. */
export const GOOD: Reply = { text: JSON.stringify(ANSWER), usage: [100, 20] }

/** Tools of a task that note what they are called with. */
export function toolsNoting(calls: unknown[], more: Partial<Tools> = {}): Tools {
  return {
    list: async () => [
      {
        name: 'crm.search',
        description: 'Finds leads.',
        inputSchema: { type: 'object', properties: { query: { type: 'string' } } },
      },
    ],
    call: async (name, args) => {
      calls.push([name, args])
      return { isError: false, text: `found ${calls.length}`, ref: `toolcall_${calls.length}` }
    },
    endpoint: async () => ({ url: '', token: '' }),
    close: async () => {},
    ...more,
  }
}
