import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WaybillError } from '../../error.ts'
import type { WitnessReply } from './witness.ts'

/** What the server answers over HTTP. */
export interface Answering {
  answer(body: string): Promise<WitnessReply>
  /** Called for every response; without a reply, with the status only. */
  answered(status: number, reply: WitnessReply | undefined): void
}

/** A listening server. */
export interface Listening {
  readonly url: string
  /** Finishes pending requests and closes. */
  close(): Promise<void>
}

/** A note with a hundred signatures and a proof is shorter. */
const MOST_BYTES = 262_144
const MOST_CONNECTIONS = 256
/** In milliseconds. */
const PATIENCE = 10_000
const LAST_CHANCE = 2000

/** Serves the C2SP tlog-witness API at an address. */
export async function listen(host: string, port: number, answering: Answering): Promise<Listening> {
  // Loaded on use: most runs serve nothing.
  const { createServer } = process.getBuiltinModule('node:http')
  const server = createServer(
    { requestTimeout: PATIENCE, headersTimeout: PATIENCE, connectionsCheckingInterval: 1000 },
    (request, response) => void respond(request, response, answering),
  )
  server.maxConnections = MOST_CONNECTIONS
  await new Promise<void>((resolve, reject) => {
    server.once('error', cause => reject(cannotListen(host, port, cause)))
    server.listen({ host, port }, resolve)
  })
  const { port: bound } = server.address() as AddressInfo
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}/`,
    close: () => close(server),
  }
}

function cannotListen(host: string, port: number, cause: Error): WaybillError {
  const reason = (cause as NodeJS.ErrnoException).code ?? cause.message
  return new WaybillError('input-output', `cannot listen on ${host}:${port} (${reason})`, {
    hint: 'choose another port, or an address of this machine',
    cause,
  })
}

async function close(server: Server): Promise<void> {
  const late = setTimeout(() => server.closeAllConnections(), LAST_CHANCE)
  await new Promise<void>(resolve => {
    server.close(() => resolve())
    server.closeIdleConnections()
  })
  clearTimeout(late)
}

/** Answers every error: a request must not crash the server. */
async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  { answer, answered }: Answering,
): Promise<void> {
  const refuse = (status: number, why: string) => {
    answered(status, undefined)
    // Do not wait for the rest of the body.
    response.writeHead(status, { 'content-type': TEXT, connection: 'close' })
    response.end(`${why}\n`)
  }
  try {
    const path = (request.url ?? '').split('?', 1)[0]
    if (path !== '/add-checkpoint') return refuse(404, 'the only path is /add-checkpoint')
    if (request.method !== 'POST') return refuse(405, 'use POST')
    const body = await readBody(request)
    if (body === undefined) return refuse(413, `the limit is ${MOST_BYTES} bytes`)
    const text = decode(body)
    if (text === undefined) return refuse(400, 'the request is not UTF-8')
    const reply = await answer(text)
    answered(reply.status, reply)
    response.writeHead(reply.status, { 'content-type': reply.status === 409 ? SIZE : TEXT })
    response.end(bodyOf(reply))
  } catch {
    if (!response.headersSent) refuse(500, 'internal error')
  }
}

const TEXT = 'text/plain; charset=utf-8'
const SIZE = 'text/x.tlog.size'

function bodyOf({ status, line, cosigned, detail }: WitnessReply): string {
  if (line !== undefined) return line
  return status === 409 ? `${cosigned ?? 0}\n` : `${detail}\n`
}

async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    length += chunk.length
    if (length > MOST_BYTES) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function decode(body: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
  } catch {
    return undefined
  }
}
