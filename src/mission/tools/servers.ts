import type {
  CallToolResult,
  Client,
  JsonSchemaValidatorResult,
  Tool,
  Transport,
} from '@modelcontextprotocol/client'
import manifest from '../../../package.json' with { type: 'json' }
import { WaybillError } from '../../error.ts'
import type { Missions } from '../config.ts'
import { loadMcpClient } from '../packages.ts'
import { secretIn } from '../runners/secret.ts'
import { openHttp } from './http-transport.ts'
import { openProcess, type ProcessTransport } from './process-transport.ts'
import { within } from './within.ts'

/** What the servers of tools are reached by. */
interface ServersOptions {
  readonly servers: NonNullable<Missions['servers']>
  readonly root: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Milliseconds after which a server is given up. */
  readonly patience: number
}

/** A tool of a server, to be called. */
interface Call {
  readonly server: string
  readonly name: string
  readonly given: Readonly<Record<string, unknown>>
  readonly signal: AbortSignal
}

/** What came of a call: a result, or words of ours on why there is none, with those of the server where it said any. */
type Called =
  | { readonly is: 'answered'; readonly result: CallToolResult }
  | { readonly is: 'failed'; readonly why: string; readonly said?: string }

type Failed = Extract<Called, { is: 'failed' }>

/** The tools of a server, by the names that it gives them, or why there are none. */
type Listed = { readonly is: 'listed'; readonly tools: ReadonlyMap<string, Tool> } | Failed

/** Servers of tools, each started when it is first needed; what is asked of them throws only when its signal ends it. */
export interface Servers {
  tools(server: string, signal: AbortSignal): Promise<Listed>
  call(call: Call): Promise<Called>
  close(): Promise<void>
}

interface Connection {
  readonly client: Client
  readonly tools: ReadonlyMap<string, Tool>
  /** Why it is no more, where that is known. */
  why(): string | undefined
}

interface ServerStatus {
  starts: number
  connection?: Promise<Connection> | undefined
}

/** The longest message that is read; an agent is given far less of it. */
const MOST_BYTES = 8_388_608
/** A server that has died is started once more, and then no more. */
const MOST_STARTS = 2
const MOST_PAGES = 16

/** Opens the servers of one attempt at a task; none is started yet. */
export function openServers(options: ServersOptions): Servers {
  const standings = new Map<string, ServerStatus>()
  const closing = new AbortController()

  const connect = (name: string): Promise<Connection> => {
    const standing = standings.get(name) ?? { starts: 0 }
    standings.set(name, standing)
    if (standing.connection) return standing.connection
    if (standing.starts >= MOST_STARTS)
      return Promise.reject(unavailable(`it has failed ${MOST_STARTS} times`))
    const forget = () => {
      if (standing.connection === connection) standing.connection = undefined
    }
    const how = { name, standing, closing: closing.signal, forget }
    const connection: Promise<Connection> = open(options, how)
    standing.connection = connection
    connection.catch(forget)
    return connection
  }

  const call = async ({ server, name, given, signal }: Call): Promise<Called> => {
    let connection: Connection | undefined
    const late = AbortSignal.timeout(options.patience)
    const until = AbortSignal.any([signal, late])
    try {
      connection = await within(connect(server), signal)
      const request = connection.client.callTool(
        { name, arguments: given },
        { signal: until, timeout: options.patience },
      )
      return { is: 'answered', result: await within(request, until) }
    } catch (error) {
      if (signal.aborted) throw error
      if (late.aborted) return { is: 'failed', why: `gave no answer in ${options.patience} ms` }
      return await failed(error, connection)
    }
  }

  return {
    call,
    tools: async (server, signal) => {
      try {
        const { tools } = await within(connect(server), signal)
        return { is: 'listed', tools }
      } catch (error) {
        if (signal.aborted) throw error
        return failed(error, undefined)
      }
    },
    close: async () => {
      closing.abort()
      const open = [...standings.values()].map(({ connection }) => connection)
      await Promise.allSettled(open.map(async connection => (await connection)?.client.close()))
    },
  }
}

const unavailable = (why: string) => new WaybillError('input-output', why)

/** An answer that is an error, or that makes no sense, leaves the server as it is; whatever else breaks ends it. */
async function failed(error: unknown, connection: Connection | undefined): Promise<Failed> {
  const { ProtocolError, SdkError, SdkErrorCode } = await loadMcpClient()
  if (error instanceof ProtocolError)
    return { is: 'failed', why: 'refused the call', said: error.message }
  const senseless: unknown[] = [SdkErrorCode.InvalidResult, SdkErrorCode.UnsupportedResultType]
  if (error instanceof SdkError && senseless.includes(error.code))
    return { is: 'failed', why: 'gave an answer that is no result' }
  await connection?.client.close().catch(() => undefined)
  const why = connection?.why() ?? (error instanceof WaybillError ? error.message : undefined)
  return { is: 'failed', why: `is not available${why === undefined ? '' : `: ${why}`}` }
}

interface How {
  readonly name: string
  readonly standing: ServerStatus
  readonly closing: AbortSignal
  readonly forget: () => void
}

async function open(options: ServersOptions, how: How): Promise<Connection> {
  const { name, standing } = how
  standing.starts += 1
  const isAgain = standing.starts > 1
  const sdk = await loadMcpClient()
  const transport = transportOf(sdk, name, options)
  // Others do not answer what they do not know: a program is asked as of old after a part of the time.
  const probe = 'why' in transport ? { probe: { timeoutMs: options.patience / 6 } } : {}
  const client = new sdk.Client(
    { name: manifest.name, version: manifest.version },
    {
      // Some servers end when they are asked for what they do not know; those are asked as of old the second time.
      versionNegotiation: { mode: isAgain ? 'legacy' : 'auto', ...probe },
      listMaxPages: MOST_PAGES,
      // Whoever asks for input gets an error, and what a schema of theirs says of results is not computed.
      inputRequired: { autoFulfill: false },
      jsonSchemaValidator: { getValidator: () => given => accept(given) },
    },
  )
  let isUp = false
  client.onclose = () => {
    if (isUp) how.forget()
  }
  client.onerror = () => {}
  const late = AbortSignal.timeout(options.patience)
  const signal = AbortSignal.any([how.closing, late])
  const why = () => ('why' in transport ? transport.why() : undefined)
  try {
    await within(client.connect(transport, { signal, timeout: options.patience }), signal)
    const tools = await toolsOf(client, signal, options.patience)
    if (why() !== undefined) throw unavailable('it ended')
    isUp = true
    return { client, tools, why }
  } catch (error) {
    // Of one that is closed here it is not told that it has ended.
    const ended = why()
    await Promise.allSettled([client.close(), transport.close()])
    if (how.closing.aborted) throw unavailable('it was closed')
    if (late.aborted) throw unavailable(`it did not start in ${options.patience} ms`)
    // A program that ends at once gets its second start at once: whoever asks for tools asks only once.
    if (ended !== undefined && standing.starts < MOST_STARTS) return open(options, how)
    throw unavailable(ended ?? whyNotOpen(error, sdk))
  }
}

function whyNotOpen(error: unknown, { SdkError, SdkErrorCode }: Sdk): string {
  if (error instanceof WaybillError) return error.message
  const code = error instanceof SdkError ? error.code : undefined
  if (code === SdkErrorCode.ListPaginationExceeded)
    return `the list of its tools has more than ${MOST_PAGES} pages`
  return code === SdkErrorCode.InvalidResult
    ? 'the list of its tools is not as the protocol has it'
    : 'it cannot be reached'
}

const accept = <T>(given: unknown): JsonSchemaValidatorResult<T> => ({
  valid: true,
  data: given as T,
  errorMessage: undefined,
})

async function toolsOf(client: Client, signal: AbortSignal, timeout: number) {
  // The library writes to the console where a server has none.
  if (!client.getServerCapabilities()?.tools) return new Map<string, Tool>()
  const { tools } = await within(client.listTools(undefined, { signal, timeout }), signal)
  return new Map(tools.map(tool => [tool.name, tool]))
}

type Sdk = Awaited<ReturnType<typeof loadMcpClient>>

function transportOf(
  sdk: Sdk,
  name: string,
  { servers, root, environment }: ServersOptions,
): ProcessTransport | Transport {
  const server = Object.hasOwn(servers, name) ? servers[name] : undefined
  if (server?.command) {
    const { command, environment: names = [] } = server
    const passed = names.flatMap(variable => {
      const value = environment[variable]
      return value === undefined ? [] : [[variable, value] as const]
    })
    const launch = { command, environment: Object.fromEntries(passed), folder: root }
    const more = { path: environment.PATH, bytes: MOST_BYTES }
    return openProcess({ ...launch, ...more }, sdk.deserializeMessage)
  }
  if (server?.url === undefined) throw unavailable('waybill.yaml does not say where it is')
  const found = secretIn(server.token, environment)
  if ('why' in found) throw unavailable(`it ${found.why}`)
  return openHttp(sdk, { url: server.url, token: found.secret, bytes: MOST_BYTES })
}
