import type * as A2aTypes from '@a2a-js/sdk/client'
import type * as A2aErrorTypes from '@a2a-js/sdk/errors'
import type * as AnthropicTypes from '@ai-sdk/anthropic'
import type * as OpenAiCompatibleTypes from '@ai-sdk/openai-compatible'
import type * as DurableTypes from '@dbos-inc/dbos-sdk'
import type * as QueueTypes from '@dbos-inc/dbos-sdk/eventreceiver'
import type * as ExecutorTypes from '@dbos-inc/dbos-sdk/internal/dbos-executor'
import type * as RunnerTypes from '@dbos-inc/dbos-sdk/internal/wfqueue'
import type * as McpClientTypes from '@modelcontextprotocol/client'
import type * as McpServerTypes from '@modelcontextprotocol/server'
import type * as AiTypes from 'ai'
import manifest from '../../package.json' with { type: 'json' }
import { WaybillError } from '../error.ts'

type Package = keyof typeof manifest.peerDependencies

/** The engine of durable execution, loaded when a worker starts. */
export function loadDurable(): Promise<typeof DurableTypes> {
  return needed('a worker', '@dbos-inc/dbos-sdk', () => import('@dbos-inc/dbos-sdk'))
}

/** The engine's own door to what it does in this process, once it is opened. */
export function loadExecutor(): Promise<typeof ExecutorTypes> {
  const name = '@dbos-inc/dbos-sdk'
  return needed('a worker', name, () => import('@dbos-inc/dbos-sdk/internal/dbos-executor'))
}

/** The engine's own door to how it looks into its queues. */
export function loadQueueRunner(): Promise<typeof RunnerTypes> {
  const name = '@dbos-inc/dbos-sdk'
  return needed('a worker', name, () => import('@dbos-inc/dbos-sdk/internal/wfqueue'))
}

/** The engine's own door to queues that are this process's alone. */
export function loadQueues(): Promise<typeof QueueTypes> {
  const name = '@dbos-inc/dbos-sdk'
  return needed('a worker', name, () => import('@dbos-inc/dbos-sdk/eventreceiver'))
}

/** What speaks to models, loaded when the first model is asked. */
export async function loadAi(): Promise<typeof AiTypes> {
  const ai = await needed('a model', 'ai', () => import('ai'))
  // It writes its warnings to the console otherwise, which belongs to the surfaces.
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })
  return ai
}

/** The protocol of OpenAI and of all who speak it too. */
export function loadOpenAiCompatible(): Promise<typeof OpenAiCompatibleTypes> {
  return needed('a model', '@ai-sdk/openai-compatible', () => import('@ai-sdk/openai-compatible'))
}

/** The protocol of Anthropic. */
export function loadAnthropic(): Promise<typeof AnthropicTypes> {
  return needed('a model', '@ai-sdk/anthropic', () => import('@ai-sdk/anthropic'))
}

/** What speaks to agents elsewhere, and how their refusals are told apart. */
export async function loadA2a(): Promise<{
  readonly client: typeof A2aTypes
  readonly errors: typeof A2aErrorTypes
}> {
  const [client, errors] = await needed('an agent over A2A', '@a2a-js/sdk', () =>
    Promise.all([import('@a2a-js/sdk/client'), import('@a2a-js/sdk/errors')]),
  )
  return { client, errors }
}

/** What calls the tools of others. */
export function loadMcpClient(): Promise<typeof McpClientTypes> {
  const name = '@modelcontextprotocol/client'
  return needed('a server of tools', name, () => import('@modelcontextprotocol/client'))
}

/** What serves tools to agents that are programs. */
export function loadMcpServer(): Promise<typeof McpServerTypes> {
  const name = '@modelcontextprotocol/server'
  return needed('serving tools to an agent', name, () => import('@modelcontextprotocol/server'))
}

async function needed<T>(what: string, name: Package, load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (cause) {
    const why = isAbsent(cause) ? 'is missing' : 'cannot be loaded'
    throw new WaybillError('configuration', `${what} needs the package ${name}, which ${why}`, {
      hint: `npm install ${name}@${manifest.peerDependencies[name]}`,
      cause,
    })
  }
}

function isAbsent(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND'
}
