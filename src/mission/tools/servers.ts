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

/** Options of tool servers. */
interface ServersOptions {
  readonly servers: NonNullable<Missions['servers']>
  readonly root: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The timeout of a server, in milliseconds. */
  readonly patience: number
}

/** A tool call. */
interface Call {
  readonly server: string
  readonly name: string
  readonly given: Readonly<Record<string, unknown>>
  readonly signal: AbortSignal
}

/** The result of a call, or why it failed, with the server's own message if any. */
type Called =
  | { readonly is: 'answered'; readonly result: CallToolResult }
  | { readonly is: 'failed'; readonly why: string; readonly said?: string }

type Failed = Extract<Called, { is: 'failed' }>

/** The tools of a server by its names, or why they are unavailable. */
type Listed = { readonly is: 'listed'; readonly tools: ReadonlyMap<string, Tool> } | Failed

/** Tool servers, each started on first use; methods throw only when their signal aborts. */
export interface Servers {
  tools(server: string, signal: AbortSignal): Promise<Listed>
  call(call: Call): Promise<Called>
  close(): Promise<void>
}

interface Connection {
  readonly client: Client
  readonly tools: ReadonlyMap<string, Tool>
  /** Why it ended, if known. */
  why(): string | undefined
}

interface ServerStatus {
  starts: number
  connection?: Promise<Connection> | undefined
}

/** The largest message, in bytes; agents get far less. */
const MOST_BYTES = 8_388_608
/** A server that died is restarted once. */
const MOST_STARTS = 2
const MOST_PAGES = 16

/** Opens the servers of one attempt without starting them. */
export function openServers(options: ServersOptions): Servers {
  const standings = new Map<string, ServerStatus>()
  const closing = new AbortController()

  const connect = (name: string): Promise<Connection> => {
    const standing = standings.get(name) ?? { starts: 0 }
    standings.set(name, standing)
    if (standing.connection !== undefined) return standing.connection
    if (standing.starts >= MOST_STARTS)
      return Promise.reject(unavailable(`it failed ${MOST_STARTS} times`))
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
      if (late.aborted) return { is: 'failed', why: `did not answer within ${options.patience} ms` }
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

/** An error response or an invalid result keeps the connection; any other failure closes it. */
async function failed(error: unknown, connection: Connection | undefined): Promise<Failed> {
  const { ProtocolError, SdkError, SdkErrorCode } = await loadMcpClient()
  if (error instanceof ProtocolError)
    return { is: 'failed', why: 'refused the call', said: error.message }
  const senseless: unknown[] = [SdkErrorCode.InvalidResult, SdkErrorCode.UnsupportedResultType]
  if (error instanceof SdkError && senseless.includes(error.code))
    return { is: 'failed', why: 'returned an invalid result' }
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
  // Old servers may ignore unknown requests: fall back to the legacy handshake after part of the timeout.
  const probe = 'why' in transport ? { probe: { timeoutMs: options.patience / 6 } } : {}
  const client = new sdk.Client(
    { name: manifest.name, version: manifest.version },
    {
      // Some servers exit on unknown requests: use the legacy handshake on the second start.
      versionNegotiation: { mode: isAgain ? 'legacy' : 'auto', ...probe },
      listMaxPages: MOST_PAGES,
      // Requests for input get an error, and output schemas are not evaluated.
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
    // Read the reason first: closing would set another.
    const ended = why()
    await Promise.allSettled([client.close(), transport.close()])
    if (how.closing.aborted) throw unavailable('it was closed')
    if (late.aborted) throw unavailable(`it did not start within ${options.patience} ms`)
    // Retry at once a program that exits immediately: tools are listed only once.
    if (ended !== undefined && standing.starts < MOST_STARTS) return open(options, how)
    throw unavailable(ended ?? whyNotOpen(error, sdk))
  }
}

function whyNotOpen(error: unknown, { SdkError, SdkErrorCode }: Sdk): string {
  if (error instanceof WaybillError) return error.message
  const code = error instanceof SdkError ? error.code : undefined
  if (code === SdkErrorCode.ListPaginationExceeded)
    return `its tool list has more than ${MOST_PAGES} pages`
  return code === SdkErrorCode.InvalidResult
    ? 'its tool list does not follow the protocol'
    : 'it is unreachable'
}

const accept = <T>(given: unknown): JsonSchemaValidatorResult<T> => ({
  valid: true,
  data: given as T,
  errorMessage: undefined,
})

async function toolsOf(client: Client, signal: AbortSignal, timeout: number) {
  // Avoid listTools for a server without tools: the library would write to the console.
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
  if (server?.url === undefined) throw unavailable('waybill.yaml has no command or URL for it')
  const found = secretIn(server.token, environment)
  if ('why' in found) throw unavailable(`it ${found.why}`)
  return openHttp(sdk, { url: server.url, token: found.secret, bytes: MOST_BYTES })
}
