import type { Diagnostic } from '../contract/index.ts'
import type {
  LibrarianPass,
  MissionEnvelope,
  MissionTaskGraph,
  PromptPackage,
} from '../contracts/index.ts'

/** One task, as its graph has it. */
export type Task = MissionTaskGraph['tasks'][number]

/** An artifact of a mission, as its contract has it. */
export type Payload = Readonly<Record<string, unknown>>

/** What an agent is given to do one task: the document that `command` agents read from standard input. */
export interface Assignment {
  readonly mission: MissionEnvelope
  readonly task: Task
  /** The canonical id of the agent that does it. */
  readonly agent: string
  /** From 1; every start has a higher one than those before it, and numbers may be left out. */
  readonly attempt: number
  readonly prompt: PromptPackage | null
  /** What the agent may look at, where a librarian has given it a pass that has not expired. */
  readonly pass: LibrarianPass | null
  /** The artifacts of the tasks that this one depends on, and of theirs, in the order of the graph. */
  readonly inputs: readonly Payload[]
  /** The tasks that wait for this one, for who writes prompts or passes for them; absent for others. */
  readonly tasks?: readonly Task[]
  readonly budget: Budget
  readonly returns: Returns
  /** What was wrong with the first answer, where this is the one round in which it may be repaired. */
  readonly repair: Repair | null
  /** What an agent of an orchestration file reads and writes; absent in other missions. */
  readonly session?: PipelineSession
}

/** The session contexts and files of one agent of an orchestration file; paths from the root of the repository. */
export interface PipelineSession {
  /** The file, and the address of the agent in it. */
  readonly orchestration: string
  readonly address: string
  /** The session context that it reads, as it was when the agent was started; null where it reads none. */
  readonly input: {
    readonly path: string
    readonly sha256: string
    readonly document: unknown
  } | null
  /** Where the session context has to stand that it writes, or answers with. */
  readonly output: string | null
  /** The file that it has to write beside. */
  readonly artifact: string | null
}

/** What is left of a mission's budget when an agent is asked; null is without limit. */
export interface Budget {
  readonly ms: number | null
  readonly tokens: number | null
}

/** What a task has to return: `{ "artifacts": [...] }`, or one artifact alone. */
export interface Returns {
  /** Schema names of the artifacts that it may return, the first of which has to be among them. */
  readonly artifacts: readonly [string, ...string[]]
  /** JSON Schema of the answer. Root metadata that every artifact has may be left out: it is filled in. */
  readonly schema: Readonly<Record<string, unknown>>
}

/** The answer that was refused, and why. */
export interface Repair {
  readonly answer: unknown
  readonly diagnostics: readonly Pick<Diagnostic, 'code' | 'path' | 'message' | 'hint'>[]
}

/** What was used up, as far as it is known. */
export interface Usage {
  readonly inputTokens: number
  readonly outputTokens: number
}

/** What came of giving an agent its work. */
export type Outcome =
  | {
      readonly is: 'returned'
      /** What it answered; not checked yet. */
      readonly answer: unknown
      readonly usage?: Usage
    }
  | {
      readonly is: 'waiting'
      readonly for: 'person' | 'agent'
      /** Given to the same runner when the work goes on; JSON. */
      readonly token?: unknown
      /** After how many milliseconds to look again; without it somebody else wakes the task. */
      readonly again?: number
    }
  | {
      readonly is: 'failed'
      readonly code: RunnerCode
      /** One sentence, without secrets. */
      readonly message: string
      /** Whether another attempt may come out better. */
      readonly mayRetry: boolean
      /** What it wrote instead of a sound document, fit to be shown: the agent may repair that. */
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
  /** An agent of an orchestration file that may not begin. */
  | PipelineReason

/** Why the orchestration file does not let an agent begin: a code of whatever stands in the way. */
export type PipelineReason =
  | 'mission/secret'
  | `${'pipeline' | 'orchestration' | 'session-context' | 'schema' | 'syntax' | 'document'}/${string}`

/** Why work is ended from outside; only what was cancelled is not gone on with elsewhere. */
export type Stop = 'cancelled' | 'lost' | 'stopping'

/** What a runner gave when it began to wait. */
export interface Kept {
  readonly token: unknown
  /** For how long it has waited since then, in milliseconds, by the clock of the database. */
  readonly waited: number
}

/** What a runner may use beside the assignment. */
export interface RunContext {
  /** The root of the repository. */
  readonly root: string
  /** Variables of the environment of the worker; a runner passes on only those that its configuration names. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Ends the work, with a `Stop` as its reason. */
  readonly signal: AbortSignal
  /** The tools of the task, behind the guard; absent where it has none. */
  readonly tools?: Tools
  /** What the runner gave when it began to wait, and the answer of whoever woke it. */
  readonly continued?: Kept & { readonly answer?: unknown }
  /** What it had given when it waited for the answer that is to be repaired; null where it did not wait. */
  readonly before?: Kept
}

/** A tool that a task may use, as agents see it. */
export interface ToolDescription {
  readonly name: string
  readonly description: string
  /** JSON Schema of its arguments. */
  readonly inputSchema: Readonly<Record<string, unknown>>
}

/** What an agent is told of a call. */
export interface ToolResult {
  readonly isError: boolean
  readonly text: string
  /** The name that the trace has for the call: an entry of `tool_trace_refs`. */
  readonly ref: string
}

/** The tools in the scope of one attempt at a task; every call goes through the guard, and is traced. */
export interface Tools {
  list(): Promise<readonly ToolDescription[]>
  call(name: string, args: unknown, signal?: AbortSignal): Promise<ToolResult>
  /** An endpoint of MCP (streamable HTTP) on this machine that serves exactly these tools, opened when first asked for. */
  endpoint(): Promise<{ readonly url: string; readonly token: string }>
  close(): Promise<void>
}

/** Something that does the work of a task: a program, a model, a remote agent, a person. */
export interface Runner {
  run(assignment: Assignment, runContext: RunContext): Promise<Outcome>
}
