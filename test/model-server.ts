import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A protocol that models are asked in. */
export type Protocol = 'openai-compatible' | 'anthropic'

/** What a model says when it is asked: a text, calls of tools, or both. */
interface Saying {
  readonly text?: string
  readonly tools?: readonly { readonly name: string; readonly args: unknown }[]
  readonly ends?: 'well' | 'cut-off' | 'refused'
  readonly usage?: readonly [input: number, output: number]
}

/** What a server does when it is asked. */
export type Reply =
  | Saying
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string }
  /** Begins to stream, then resets the connection, falls silent, or sends lines that are no events. */
  | { readonly breaks: 'reset' | 'hang' | 'garbage' | 'half-event' | 'end' | 'error' }
  /** Refuses, and resets the connection before it has said why. */
  | { readonly refuses: number }
  /** Accepts the request and never answers. */
  | { readonly breaks: 'mute' }
  /** Writes without an end. */
  | { readonly breaks: 'flood' }

/** A request as it came in. */
export interface Asked {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly text: string
  readonly body: Record<string, unknown>
  /** Milliseconds, on a clock that only goes forward. */
  readonly at: number
}

/** What a server does when it is asked, or how that follows from what it is asked. */
type Replying = Reply | ((asked: Asked) => Reply)

/** A server that speaks the protocols of two providers and does what a test tells it; the last reply is repeated. */
export async function openModelServer(...replies: readonly Replying[]) {
  const asked: Asked[] = []
  const open = new Set<ServerResponse>()
  const server = createServer(async (request, response) => {
    open.add(response)
    response.on('close', () => open.delete(response))
    const body = await text(request)
    const reply = replies[Math.min(asked.length, replies.length - 1)] ?? {}
    const now: Asked = {
      path: request.url ?? '',
      headers: request.headers,
      text: body,
      body: JSON.parse(body),
      at: performance.now(),
    }
    asked.push(now)
    const given = typeof reply === 'function' ? reply(now) : reply
    answer(request.url?.endsWith('/messages') ? 'anthropic' : 'openai-compatible', given, response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    asked,
    /** Answers that are still being written. */
    open: () => [...open],
    close: () =>
      new Promise<void>(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function answer(protocol: Protocol, reply: Reply, response: ServerResponse): void {
  if ('status' in reply) {
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers })
    response.end(reply.body ?? '{"error":{"message":"no"}}')
    return
  }
  if ('refuses' in reply) {
    response.writeHead(reply.refuses, { 'content-type': 'application/json' })
    response.write('{"error":')
    // What was written has to be on its way before the connection goes.
    setTimeout(() => response.destroy(), 50)
    return
  }
  if ('breaks' in reply && reply.breaks === 'mute') return
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  if ('breaks' in reply) {
    breakOff(protocol, reply.breaks, response)
    return
  }
  for (const event of eventsOf(protocol, reply)) response.write(event)
  response.end()
}

function breakOff(protocol: Protocol, how: string, response: ServerResponse): void {
  const [first = '', second = ''] = eventsOf(protocol, { text: '{"begun":' })
  response.write(`${first}${second}`)
  if (how === 'flood') flood(eventsOf(protocol, { text: 'x'.repeat(PIECE) }).slice(1, 3), response)
  if (how === 'garbage') response.end('data: {"choices": [}\n\n<html>what?</html>\n\n')
  if (how === 'half-event') response.end('data: {"choices": [{"delta": {"con')
  if (how === 'end') response.end()
  if (how === 'error') {
    const isNamed = protocol === 'anthropic'
    const said = { error: { type: 'overloaded_error', message: 'Overloaded' } }
    response.end(isNamed ? event({ type: 'error', ...said }, 'error') : event(said))
  }
  // What was written has to be on its way before the connection goes.
  if (how === 'reset') setTimeout(() => response.destroy(), 50)
}

/** The same again and again, as fast as the other side reads. */
function flood(events: readonly string[], response: ServerResponse): void {
  const again = events.find(event => event.includes('xxx')) ?? ''
  while (!response.destroyed && response.write(again));
  if (!response.destroyed) response.once('drain', () => flood(events, response))
}

const event = (data: unknown, name?: string) =>
  `${name ? `event: ${name}\n` : ''}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`

const eventsOf = (protocol: Protocol, saying: Saying) =>
  protocol === 'anthropic' ? anthropicEvents(saying) : openAiEvents(saying)

const PIECE = 4096

const piecesOf = (whole: string) =>
  Array.from({ length: Math.ceil(whole.length / PIECE) }, (_, n) =>
    whole.slice(n * PIECE, (n + 1) * PIECE),
  )

function openAiEvents({ text = '', tools = [], ends = 'well', usage = [10, 5] }: Saying): string[] {
  const chunk = (delta: unknown, finish_reason: string | null = null) =>
    event({
      id: 'chat-1',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'm',
      choices: [{ index: 0, delta, finish_reason }],
    })
  const finish = {
    well: tools.length ? 'tool_calls' : 'stop',
    'cut-off': 'length',
    refused: 'stop',
  }
  const spoken = ends === 'refused' ? [chunk({ refusal: text })] : []
  return [
    chunk({ role: 'assistant', content: '' }),
    ...(ends === 'refused' ? spoken : piecesOf(text).map(content => chunk({ content }))),
    ...tools.map(({ name, args }, index) =>
      chunk({
        tool_calls: [
          {
            index,
            id: `call_${index}`,
            type: 'function',
            function: { name, arguments: JSON.stringify(args) },
          },
        ],
      }),
    ),
    chunk({}, finish[ends]),
    event({
      id: 'chat-1',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'm',
      choices: [],
      usage: {
        prompt_tokens: usage[0],
        completion_tokens: usage[1],
        total_tokens: usage[0] + usage[1],
      },
    }),
    event('[DONE]'),
  ]
}

function anthropicEvents(saying: Saying): string[] {
  const { text = '', tools = [], ends = 'well', usage = [10, 5] } = saying
  const send = (data: { type: string } & Record<string, unknown>) => event(data, data.type)
  const stop = {
    well: tools.length ? 'tool_use' : 'end_turn',
    'cut-off': 'max_tokens',
    refused: 'refusal',
  }
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: usage[0], output_tokens: 0 },
  }
  const blocks = [
    ...(text
      ? [
          {
            block: { type: 'text', text: '' },
            deltas: piecesOf(text).map(piece => ({ type: 'text_delta', text: piece })),
          },
        ]
      : []),
    ...tools.map(({ name, args }, n) => ({
      block: { type: 'tool_use', id: `toolu_${n}`, name, input: {} },
      deltas: [{ type: 'input_json_delta', partial_json: JSON.stringify(args) }],
    })),
  ]
  return [
    send({ type: 'message_start', message }),
    ...blocks.flatMap(({ block, deltas }, index) => [
      send({ type: 'content_block_start', index, content_block: block }),
      ...deltas.map(delta => send({ type: 'content_block_delta', index, delta })),
      send({ type: 'content_block_stop', index }),
    ]),
    send({
      type: 'message_delta',
      delta: { stop_reason: stop[ends], stop_sequence: null },
      usage: { output_tokens: usage[1] },
    }),
    send({ type: 'message_stop' }),
  ]
}
