/** What stays of one call of a tool: who called what when, what was decided and why, and digests, never what was said. */
export interface ToolTrace {
  /** The name of the call, which agents give in `tool_trace_refs`. */
  readonly ref: string
  /** As the agent named it, made fit to be shown. */
  readonly tool: string
  /** Which server has it; null where the call went to none. */
  readonly server: string | null
  readonly mission: string
  readonly task: string
  readonly attempt: number
  /** Whether the call was passed on. */
  readonly decision: 'allow' | 'deny'
  /** Ids of the policies that decided; none where no policy was asked. */
  readonly policies: readonly string[]
  /** SHA-256 in hex of the canonical JSON of the arguments; null where they were none. */
  readonly argsDigest: string | null
  /** SHA-256 in hex of the words of the tool that the agent was given; null where there were none. */
  readonly resultDigest: string | null
  /** How large the result was, in bytes. */
  readonly resultBytes: number
  /** How many bytes of it the agent was not given. */
  readonly cut: number
  readonly isError: boolean
  /** When the agent called. */
  readonly startedAt: string
  /** How long it took, in milliseconds. */
  readonly ms: number
}
