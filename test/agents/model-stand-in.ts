import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One turn of the model: a tool call, or an answer that ends the turn. */
export type Step =
  | { readonly name: string; readonly input: Readonly<Record<string, unknown>> }
  | { readonly text: string }

/** A request that the agent sent to the model. */
export interface ModelRequest {
  readonly tools: readonly string[]
  /** The system prompt and the messages as JSON. */
  readonly text: string
}

/** A stand-in for a provider of models. */
export interface ModelStandIn {
  readonly url: string
  /** The requests of the agent's own loop, in order; titles and summaries are not among them. */
  readonly requests: readonly ModelRequest[]
  /** All requests. */
  readonly all: readonly ModelRequest[]
  close(): Promise<void>
}

/** A request with more tools is one of the agent's own loop. */
const FEW_TOOLS = 3

/** Answers Anthropic's Messages API from a script, so that a real coding agent runs without a model. */
export async function openModelStandIn(steps: readonly Step[]): Promise<ModelStandIn> {
  const [requests, all]: [ModelRequest[], ModelRequest[]] = [[], []]
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST' || !request.url?.includes('/messages')) return json(response, {})
    if (request.url.includes('/count_tokens')) return json(response, { input_tokens: 100 })
    const { model, tools = [], system, messages } = JSON.parse(await bodyOf(request))
    const asked = {
      tools: tools.map((tool: { name: string }) => tool.name),
      text: JSON.stringify({ system, messages }),
    }
    all.push(asked)
    const isOwn = asked.tools.length > FEW_TOOLS
    const step = isOwn ? steps[requests.push(asked) - 1] : undefined
    answer(response, step ?? { text: 'Done.' }, { model, id: all.length })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    all,
    close: () => {
      server.closeAllConnections()
      return new Promise(resolve => server.close(() => resolve()))
    },
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

function json(response: ServerResponse, value: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

/** Streams one message as the Messages API does. */
function answer(
  response: ServerResponse,
  step: Step,
  { model, id }: { model: string; id: number },
): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const send = (type: string, data: object) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`)
  const isCall = 'name' in step
  const message = {
    ...{ id: `msg_${id}`, type: 'message', role: 'assistant', model, content: [] },
    ...{ stop_reason: null, stop_sequence: null },
    usage: { input_tokens: 10, output_tokens: 1 },
  }
  send('message_start', { message })
  send('content_block_start', {
    index: 0,
    content_block: isCall
      ? { type: 'tool_use', id: `toolu_${id}`, name: step.name, input: {} }
      : { type: 'text', text: '' },
  })
  send('content_block_delta', {
    index: 0,
    delta: isCall
      ? { type: 'input_json_delta', partial_json: JSON.stringify(step.input) }
      : { type: 'text_delta', text: step.text },
  })
  send('content_block_stop', { index: 0 })
  send('message_delta', {
    delta: { stop_reason: isCall ? 'tool_use' : 'end_turn', stop_sequence: null },
    usage: { output_tokens: 5 },
  })
  send('message_stop', {})
  response.end()
}
