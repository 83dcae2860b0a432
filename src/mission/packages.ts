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

/** Loads the engine for durable execution. */
export function loadDurable(): Promise<typeof DurableTypes> {
  return needed('a worker', '@dbos-inc/dbos-sdk', () => import('@dbos-inc/dbos-sdk'))
}

/** Loads the engine's internal executor. */
export function loadExecutor(): Promise<typeof ExecutorTypes> {
  const name = '@dbos-inc/dbos-sdk'
  return needed('a worker', name, () => import('@dbos-inc/dbos-sdk/internal/dbos-executor'))
}

/** Loads the engine's internal queue runner. */
export function loadQueueRunner(): Promise<typeof RunnerTypes> {
  const name = '@dbos-inc/dbos-sdk'
  return needed('a worker', name, () => import('@dbos-inc/dbos-sdk/internal/wfqueue'))
}

/** Loads the engine's internal queues. */
export function loadQueues(): Promise<typeof QueueTypes> {
  const name = '@dbos-inc/dbos-sdk'
  return needed('a worker', name, () => import('@dbos-inc/dbos-sdk/eventreceiver'))
}

/** Loads the AI SDK. */
export async function loadAi(): Promise<typeof AiTypes> {
  const ai = await needed('a model', 'ai', () => import('ai'))
  // The SDK logs warnings to the console, which only commands may write to.
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })
  return ai
}

/** Loads the protocol of OpenAI and compatible services. */
export function loadOpenAiCompatible(): Promise<typeof OpenAiCompatibleTypes> {
  return needed('a model', '@ai-sdk/openai-compatible', () => import('@ai-sdk/openai-compatible'))
}

/** Loads the protocol of Anthropic. */
export function loadAnthropic(): Promise<typeof AnthropicTypes> {
  return needed('a model', '@ai-sdk/anthropic', () => import('@ai-sdk/anthropic'))
}

/** Loads the A2A client and its error classes. */
export async function loadA2a(): Promise<{
  readonly client: typeof A2aTypes
  readonly errors: typeof A2aErrorTypes
}> {
  const [client, errors] = await needed('an agent over A2A', '@a2a-js/sdk', () =>
    Promise.all([import('@a2a-js/sdk/client'), import('@a2a-js/sdk/errors')]),
  )
  return { client, errors }
}

/** Loads the MCP client. */
export function loadMcpClient(): Promise<typeof McpClientTypes> {
  const name = '@modelcontextprotocol/client'
  return needed('a tool server', name, () => import('@modelcontextprotocol/client'))
}

/** Loads the MCP server, which offers tools to programs. */
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
