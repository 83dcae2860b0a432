import type { Diagnostic } from '../contract/index.ts'
import type {
  LibrarianPass,
  MissionEnvelope,
  MissionTaskGraph,
  PromptPackage,
} from '../contracts/index.ts'

/** A task of a task graph. */
export type Task = MissionTaskGraph['tasks'][number]

/** The JSON payload of an artifact. */
export type Payload = Readonly<Record<string, unknown>>

/** The input of an agent for one task; `command` agents read it as JSON from standard input. */
export interface Assignment {
  readonly mission: MissionEnvelope
  readonly task: Task
  /** The canonical id of the agent. */
  readonly agent: string
  /** Starts at 1 and rises with every start; numbers may be skipped. */
  readonly attempt: number
  readonly prompt: PromptPackage | null
  /** What the agent may read, if a librarian issued an unexpired pass. */
  readonly pass: LibrarianPass | null
  /** The artifacts of all tasks that this one depends on, directly or indirectly, in graph order. */
  readonly inputs: readonly Payload[]
  /** The dependent tasks, for agents that write prompts or passes for them; absent for others. */
  readonly tasks?: readonly Task[]
  /** The standing rules in force, word for word; absent when there are none. */
  readonly rules?: readonly string[]
  readonly budget: Budget
  readonly returns: Returns
  /** The faults of the first answer, in the one round in which it may be repaired. */
  readonly repair: Repair | null
  /** The session contexts of a pipeline agent; absent in other missions. */
  readonly session?: PipelineSession
}

/** The session contexts and files of a pipeline agent; paths are relative to the repository root. */
export interface PipelineSession {
  /** The orchestration file, and the agent's address in it. */
  readonly orchestration: string
  readonly address: string
  /**
   * The session context that it reads, as of its start, with the standing rules in force among its constraints; null when
   * there is none. The digest is of the file.
   */
  readonly input: {
    readonly path: string
    readonly sha256: string
    readonly document: unknown
  } | null
  /** The path of the session context that it writes or answers with. */
  readonly output: string | null
  /** The path of a further file that it must write. */
  readonly artifact: string | null
}

/** The budget left for an agent; null means no limit. */
export interface Budget {
  readonly ms: number | null
  readonly tokens: number | null
}

/** What a task must return: `{ "artifacts": [...] }`, or one artifact alone. */
export interface Returns {
  /** Schema names of allowed artifacts; the first is required. */
  readonly artifacts: readonly [string, ...string[]]
  /** JSON Schema of the answer. Root metadata is optional: it is filled in. */
  readonly schema: Readonly<Record<string, unknown>>
}

/** A refused answer and its faults. */
export interface Repair {
  readonly answer: unknown
  readonly diagnostics: readonly Pick<Diagnostic, 'code' | 'path' | 'message' | 'hint'>[]
}

/** Token usage, as far as known. */
export interface Usage {
  readonly inputTokens: number
  readonly outputTokens: number
}

/** The result of running an agent. */
export type Outcome =
  | {
      readonly is: 'returned'
      /** The unchecked answer. */
      readonly answer: unknown
      readonly usage?: Usage
    }
  | {
      readonly is: 'waiting'
      readonly for: 'person' | 'agent'
      /** JSON that the runner gets back when the work continues. */
      readonly token?: unknown
      /** Milliseconds until the next check; absent when only an answer continues the task. */
      readonly again?: number
    }
  | {
      readonly is: 'failed'
      readonly code: RunnerCode
      /** One sentence without secrets. */
      readonly message: string
      /** Whether another attempt may succeed. */
      readonly mayRetry: boolean
      /** The invalid output, safe to display: the agent may repair it. */
      readonly written?: string
      readonly usage?: Usage
    }

/** Why a runner has no answer. */
export type RunnerCode =
  | 'mission/runner-missing'
  | 'mission/runner-failed'
  | 'mission/runner-timeout'
  | 'mission/runner-overflow'
  | 'mission/runner-answer'
  | 'mission/runner-refused'
  | 'mission/runner-unavailable'
  | 'mission/runner-cancelled'
  | 'mission/agent-kept-out'
  | 'mission/token-budget'
  /** Why a pipeline agent must not start. */
  | PipelineReason

/** Why the orchestration file blocks an agent: the code of the cause. */
export type PipelineReason =
  | 'mission/secret'
  | `${'pipeline' | 'orchestration' | 'session-context' | 'schema' | 'syntax' | 'document'}/${string}`

/** Why work is stopped from outside; only cancelled work is not continued elsewhere. */
export type Stop = 'cancelled' | 'lost' | 'stopping'

/** The token of a runner that began to wait. */
export interface Kept {
  readonly token: unknown
  /** The time waited so far, in milliseconds by the database clock. */
  readonly waited: number
}

/** What a runner gets in addition to the assignment. */
export interface RunContext {
  /** The root of the repository. */
  readonly root: string
  /** The worker's environment; a runner passes on only configured variables. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Aborts the work, with a `Stop` as reason. */
  readonly signal: AbortSignal
  /** The guarded tools of the task; absent when it has none. */
  readonly tools?: Tools
  /** The token of the wait that ended, and the answer if any. */
  readonly continued?: Kept & { readonly answer?: unknown }
  /** The token of the wait for the answer under repair; absent if the runner did not wait. */
  readonly before?: Kept
}

/** A tool as agents see it. */
export interface ToolDescription {
  readonly name: string
  readonly description: string
  /** JSON Schema of its arguments. */
  readonly inputSchema: Readonly<Record<string, unknown>>
}

/** The result of a tool call, as the agent sees it. */
export interface ToolResult {
  readonly isError: boolean
  readonly text: string
  /** The reference of the call in the trace, for `tool_trace_refs`. */
  readonly ref: string
}

/** The tools of one attempt; every call is checked by policies and traced. */
export interface Tools {
  list(): Promise<readonly ToolDescription[]>
  call(name: string, args: unknown, signal?: AbortSignal): Promise<ToolResult>
  /** Opens a local MCP endpoint (streamable HTTP) for exactly these tools, on first use. */
  endpoint(): Promise<{ readonly url: string; readonly token: string }>
  close(): Promise<void>
}

/** Runs an agent: a program, a model, a remote agent or a person. */
export interface Runner {
  run(assignment: Assignment, runContext: RunContext): Promise<Outcome>
}
