import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type AgentCard, Role, type Task, TaskState } from '@a2a-js/sdk'
import {
  AgentEvent,
  type AgentExecutor,
  DefaultRequestHandler,
  type ExecutionEventBus,
  InMemoryTaskStore,
  JsonRpcTransportHandler,
  ServerCallContext,
} from '@a2a-js/sdk/server'

/** Something that an agent says: words, or a value. */
export type Part = { readonly text: string } | { readonly data: unknown }

/** What an agent does with a task: says something at once, or takes it into a state. */
export type Doing =
  | { readonly says: readonly Part[] }
  | {
      readonly state: keyof typeof TaskState
      readonly artifact?: readonly Part[]
      readonly words?: string
    }

/** What a server answers instead of speaking the protocol. */
export type Instead = (request: IncomingMessage, response: ServerResponse) => boolean

interface Options {
  readonly does: Doing
  readonly token?: string
  readonly card?: (url: string) => unknown
  readonly instead?: Instead
}

/** An agent that speaks A2A 1.0 over JSON-RPC, made of the SDK's own server, on this machine. */
export async function openA2aServer({ does, token, card, instead }: Options) {
  const calls: { readonly method: string; readonly text: string }[] = []
  const open = new Set<ServerResponse>()
  const tasks = new Map<string, { readonly task: Task; readonly bus: ExecutionEventBus }>()
  let url = ''
  const agent = agentThat(does, tasks)
  const handlerOf = () =>
    new JsonRpcTransportHandler(
      new DefaultRequestHandler(cardOf(url), new InMemoryTaskStore(), agent),
    )
  let handler: JsonRpcTransportHandler
  const server = createServer(async (request, response) => {
    open.add(response)
    response.on('close', () => open.delete(response))
    const body = await text(request)
    const isCard = request.url === '/.well-known/agent-card.json'
    const method = isCard ? 'card' : String(JSON.parse(body || '{}').method)
    calls.push({ method, text: body })
    if (instead?.(request, response)) return
    if (isCard) return send(response, card ? card(url) : cardOf(url))
    if (token && request.headers.authorization !== `Bearer ${token}`) {
      return send(response, { error: 'who are you?' }, 401)
    }
    const version = String(request.headers['a2a-version'])
    const context = new ServerCallContext({ requestedVersion: version })
    return send(response, await handler.handle(body, context))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  handler = handlerOf()
  return {
    url,
    calls,
    methods: () => calls.map(({ method }) => method).filter(method => method !== 'card'),
    open: () => [...open],
    /** Takes every task into another state, as an agent does that has worked on it. */
    become: (next: Exclude<Doing, { says: unknown }>) => {
      for (const { task, bus } of tasks.values()) move(task, bus, next)
    },
    /** Forgets everything. */
    forget: () => {
      handler = handlerOf()
    },
    close: () =>
      new Promise<void>(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function send(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(value))
}

/** The card of an agent with one interface; at `url`. */
export function cardOf(url: string): AgentCard {
  return {
    name: 'remote',
    description: 'An agent of tests.',
    version: '1.0.0',
    supportedInterfaces: [
      { url: `${url}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0', tenant: '' },
    ],
    provider: undefined,
    capabilities: { extensions: [], streaming: false },
    securitySchemes: {},
    securityRequirements: [],
    defaultInputModes: ['application/json', 'text/plain'],
    defaultOutputModes: ['application/json', 'text/plain'],
    skills: [],
    signatures: [],
  }
}

function agentThat(
  does: Doing,
  tasks: Map<string, { readonly task: Task; readonly bus: ExecutionEventBus }>,
): AgentExecutor {
  return {
    execute: async ({ taskId, contextId }, bus) => {
      if ('says' in does) {
        bus.publish(AgentEvent.message(messageOf(does.says, contextId, '')))
        bus.finished()
        return
      }
      const task: Task = {
        id: taskId,
        contextId,
        status: { state: TaskState.TASK_STATE_SUBMITTED, message: undefined, timestamp: undefined },
        artifacts: [],
        history: [],
        metadata: undefined,
      }
      tasks.set(taskId, { task, bus })
      move(task, bus, does)
      // As long as the task goes on, so does the agent.
      await new Promise<void>(resolve => bus.once('finished', resolve))
    },
    cancelTask: async (taskId, bus) => {
      const begun = tasks.get(taskId)
      if (begun) move(begun.task, bus, { state: 'TASK_STATE_CANCELED' })
    },
  }
}

const GOING_ON: readonly TaskState[] = [
  TaskState.TASK_STATE_SUBMITTED,
  TaskState.TASK_STATE_WORKING,
  TaskState.TASK_STATE_INPUT_REQUIRED,
  TaskState.TASK_STATE_AUTH_REQUIRED,
]

function move(task: Task, bus: ExecutionEventBus, next: Exclude<Doing, { says: unknown }>): void {
  const state = TaskState[next.state]
  const words = next.words ? messageOf([{ text: next.words }], task.contextId, task.id) : undefined
  if (next.artifact) {
    task.artifacts.push({
      artifactId: 'answer',
      name: 'answer',
      description: '',
      parts: next.artifact.map(partOf),
      metadata: undefined,
      extensions: [],
    })
  }
  task.status = { state, message: words, timestamp: new Date().toISOString() }
  bus.publish(AgentEvent.task(structuredClone(task)))
  if (!GOING_ON.includes(state)) bus.finished()
}

function messageOf(parts: readonly Part[], contextId: string, taskId: string) {
  return {
    messageId: crypto.randomUUID(),
    contextId,
    taskId,
    role: Role.ROLE_AGENT,
    parts: parts.map(partOf),
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  }
}

function partOf(part: Part) {
  const content =
    'text' in part
      ? ({ $case: 'text', value: part.text } as const)
      : ({ $case: 'data', value: part.data } as const)
  return { content, metadata: undefined, filename: '', mediaType: '' }
}
