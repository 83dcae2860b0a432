import { randomUUID } from 'node:crypto'
import { quote } from '../../contract/index.ts'
import { formatInstant } from '../../document/index.ts'
import { WaybillError } from '../../error.ts'
import type { Policies, PolicyAgent } from '../../governance/index.ts'
import type { ToolCall } from '../../store/index.ts'
import type { Missions } from '../config.ts'
import type { ToolDescription, ToolResult, Tools } from '../runner.ts'
import { readArguments } from './arguments.ts'
import { describeTool } from './description.ts'
import { type Endpoint, openEndpoint } from './endpoint.ts'
import { noResult, type Outcome, passOn } from './pass-on.ts'
import { faultInPlaces, faultInTool, type Objection, type Reach } from './reach.ts'
import { secretsOf } from './secrets.ts'
import { openServers, type Servers } from './servers.ts'

/** Options of the guarded tools of one attempt. */
export interface ToolsOptions {
  readonly missions: Pick<Missions, 'servers' | 'tools' | 'places'>
  /** The allowed tools: see `toolScope`. */
  readonly scope: readonly string[]
  /** The data that they may access. */
  readonly reach: Reach
  readonly agent: PolicyAgent
  readonly mission: { readonly id: string; readonly risk: string }
  readonly task: string
  readonly attempt: number
  readonly policies: Pick<Policies, 'decideAside'>
  /** Whether the agent is quarantined now; asked before every call. */
  readonly quarantined: () => boolean | Promise<boolean>
  /** The people who approved it. */
  readonly approvals?: readonly string[]
  /** The root of the repository, where servers are started. */
  readonly root: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Records a call; if that fails, its result is withheld. */
  readonly trace: (call: ToolCall) => Promise<void>
  /** Cancels every call. */
  readonly signal: AbortSignal
  /** The timeout of a server, in milliseconds (default: 30,000). */
  readonly patience?: number
  /** The most calls in the attempt. */
  readonly most?: number
}

/** The result of a call, before it is traced. */
interface Answer extends Outcome {
  readonly verdict: Pick<ToolCall, 'decision' | 'policies' | 'server' | 'argsDigest'>
}

/** A configured tool in scope. */
interface Bound {
  readonly server: string
  /** The server's name for it. */
  readonly name: string
  readonly bytes: number
  readonly config: NonNullable<Missions['tools']>[string]
}

interface Guard extends ToolsOptions {
  readonly servers: Servers
  readonly calls: Calls
}

/** Counts the calls of an attempt. */
interface Calls {
  made: number
  /** The answer to every call beyond the limit. */
  over?: Promise<ToolResult>
}

/** Opens the guarded tools of an attempt; servers start on first use. */
export function openTools(options: ToolsOptions): Tools {
  const { missions, root, environment, patience = PATIENCE } = options
  const closing = new AbortController()
  const signal = AbortSignal.any([options.signal, closing.signal])
  const servers = openServers({ servers: missions.servers ?? {}, root, environment, patience })
  const guard: Guard = { ...options, servers, signal, calls: { made: 0 } }
  const open = new Set<Promise<unknown>>()
  const kept = <T>(work: Promise<T>): Promise<T> => {
    open.add(work)
    const done = () => void open.delete(work)
    work.then(done, done)
    return work
  }
  let endpoint: Promise<Endpoint> | undefined
  let closed: Promise<void> | undefined
  const mustBeOpen = () => {
    if (signal.aborted) throw new WaybillError('interrupted', 'the tools of the task are closed')
  }
  const close = async () => {
    closing.abort(new WaybillError('interrupted', 'the tools of the task are closed'))
    await Promise.allSettled([endpoint?.then(server => server.close()), servers.close()])
    // After close every call is traced.
    await Promise.allSettled(open)
  }
  const tools: Tools = {
    list: async () => {
      mustBeOpen()
      return kept(list(guard))
    },
    call: async (name, args, callSignal) => {
      mustBeOpen()
      const until = callSignal ? AbortSignal.any([signal, callSignal]) : signal
      return kept(callCounted({ ...guard, signal: until }, name, args))
    },
    endpoint: async () => {
      mustBeOpen()
      endpoint ??= openEndpoint(tools)
      const { url, token } = await endpoint
      return { url, token }
    },
    close: () => {
      closed ??= close()
      return closed
    },
  }
  return tools
}

const PATIENCE = 30_000
/** The default limit of a result, in bytes. */
const BYTES = 32_768
/** The most calls in one attempt: enough for any task, but a limit for endless loops. */
const MOST_CALLS = 1000

/** Omits denied and unavailable tools. */
async function list(guard: Guard): Promise<readonly ToolDescription[]> {
  const found = await Promise.all(
    [...new Set(guard.scope)].map(async tool => {
      const bound = boundTool(guard, tool)
      if (!bound || faultInTool(bound.config, guard.reach)) return []
      if ((await decide(guard, tool)).decision === 'deny') return []
      const listed = await guard.servers.tools(bound.server, guard.signal)
      const its = listed.is === 'listed' && listed.tools.get(bound.name)
      const secrets = secretsOf(guard.missions.servers?.[bound.server], guard.environment)
      return its ? [describeTool(tool, bound.server, its, secrets)] : []
    }),
  )
  return found.flat()
}

function boundTool({ missions, scope }: Guard, tool: string): Bound | undefined {
  const { tools = {} } = missions
  const entry = scope.includes(tool) && Object.hasOwn(tools, tool) ? tools[tool] : undefined
  if (!entry) return undefined
  const { server, name = tool, bytes = BYTES } = entry
  return { server, name, bytes, config: entry }
}

/** Traces the first call beyond the limit as refused; later ones get the same answer untraced. */
function callCounted(guard: Guard, tool: string, args: unknown): Promise<ToolResult> {
  const { calls, most = MOST_CALLS } = guard
  calls.made++
  if (calls.made <= most)
    return callTraced(guard, tool, asked => answerTo(guard, { ...asked, args }))
  calls.over ??= callTraced(guard, tool, async () =>
    objected(
      { code: 'mission/tool-calls', why: `the attempt has used its ${most} calls` },
      { server: null, argsDigest: null },
      tool,
    ),
  )
  return calls.over
}

async function callTraced(
  guard: Guard,
  tool: string,
  answer: (asked: Omit<Asked, 'args'>) => Promise<Answer>,
): Promise<ToolResult> {
  const [started, clock] = [Date.now(), performance.now()]
  const ref = `toolcall_${randomUUID()}`
  const { verdict, isError, text, given } = await answer({ tool, ref })
  try {
    await guard.trace({
      ref,
      tool: guard.scope.includes(tool) ? tool : quote(tool).slice(1, -1),
      mission: guard.mission.id,
      task: guard.task,
      attempt: guard.attempt,
      ...verdict,
      resultDigest: given?.digest ?? null,
      resultBytes: given?.bytes ?? 0,
      cut: given?.cut ?? 0,
      isError,
      startedAt: formatInstant(started),
      ms: Math.round(performance.now() - clock),
    })
  } catch {
    const reasons = 'The call could not be recorded, so its result is withheld.'
    return { ref, isError: true, text: reasons }
  }
  return { ref, isError, text }
}

interface Asked {
  readonly tool: string
  readonly args: unknown
  readonly ref: string
}

/** Never throws: problems become answers to the agent. */
async function answerTo(guard: Guard, asked: Asked): Promise<Answer> {
  const { tool, args } = asked
  const read = readArguments(args)
  const refusal = { server: null, argsDigest: read.digest, policies: [], decision: 'deny' as const }
  const bound = boundTool(guard, tool)
  if (!bound) return refused({ ...refusal, why: whyUnbound(guard, tool) }, tool)
  if ('fault' in read) return refused({ ...refusal, why: read.fault }, tool)
  const { reach, missions } = guard
  const fault =
    faultInTool(bound.config, reach) ??
    faultInPlaces(bound.config, missions.places, read.value, reach)
  if (fault) return objected(fault, refusal, tool)
  let decided: Decided
  try {
    decided = await decide(guard, tool)
  } catch {
    return refused({ ...refusal, why: 'the policies could not be evaluated' }, tool)
  }
  if (decided.decision === 'deny') return refused({ ...refusal, ...decided }, tool)
  const { decision, policies } = decided
  const verdict = { decision, policies, server: bound.server, argsDigest: read.digest }
  try {
    return { verdict, ...(await passOn(guard, { ...bound, tool, ref: asked.ref }, read.value)) }
  } catch {
    const why = guard.signal.aborted ? 'the call was cancelled' : 'an internal error occurred'
    return { verdict, ...noResult(tool, why) }
  }
}

type Refusal = Answer['verdict'] & { readonly why: string }

function refused({ why, ...verdict }: Refusal, tool: string): Answer {
  return { verdict, isError: true, text: `The tool ${quote(tool)} was not called: ${why}.` }
}

/** Traces a refusal outside of the policies with its code. */
function objected(
  { code, why }: Objection,
  known: Pick<Refusal, 'server' | 'argsDigest'>,
  tool: string,
): Answer {
  return refused({ ...known, decision: 'deny', policies: [code], why: `${why} (${code})` }, tool)
}

function whyUnbound(guard: Guard, tool: string): string {
  if (guard.scope.includes(tool)) return 'waybill.yaml has no server for it'
  const names = guard.scope.slice(0, 20).map(quote).join(', ')
  return `it is not in the scope of this task, which has ${names || 'no tools'}`
}

type Decided = Pick<ToolCall, 'decision' | 'policies'> & { readonly why: string }

async function decide(guard: Guard, tool: string): Promise<Decided> {
  const { agent, scope, mission, approvals = [], policies } = guard
  const { decision, determining } = await policies.decideAside({
    action: 'useTool',
    agent,
    tool,
    facts: {
      allowedTools: scope,
      quarantined: await guard.quarantined(),
      approvals,
      mission: { id: mission.id, risk: mission.risk },
    },
  })
  const reasons = determining.map(({ id, reason, needs }) =>
    decision === 'needs-input' ? `it needs ${needs}: ${reason} (${id})` : `${reason} (${id})`,
  )
  return {
    decision: decision === 'allow' ? 'allow' : 'deny',
    policies: determining.map(({ id }) => id),
    why: reasons.join('; '),
  }
}
