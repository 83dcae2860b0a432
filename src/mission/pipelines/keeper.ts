import type { Store } from '../../store/index.ts'
import type { Fault } from '../run/worker-context.ts'
import type { Payload, PipelineReason, PipelineSession } from '../runner.ts'

/** The mission type of missions made from an orchestration file. */
export const PIPELINE = 'pipeline'

/** The orchestration file of a mission. */
export interface PipelineMissionOf {
  readonly tenant: string
  readonly mission: string
  /** The path from the root. */
  readonly file: string
  /** The log origin of the file's repository; undefined for older missions. */
  readonly installation: string | undefined
  /** The worktree of the repository, as `worktreeOf` names it; undefined for older missions. */
  readonly worktree: string | undefined
}

/** An attempt at a task of a pipeline agent. */
export interface PipelineAttempt extends PipelineMissionOf {
  readonly address: string
  readonly attempt: number
  /** Whether it continues after a wait or a repair. */
  readonly isContinued: boolean
  /** Whether it repairs its answer. */
  readonly isRepair: boolean
}

/** The state before an agent began, to judge its answer by; stored as JSON while the agent is waited for. */
export interface Before {
  /** Identifies the files that existed where the agent writes. */
  readonly output?: string | undefined
  readonly artifact?: string | undefined
  /** The nesting depth that the file allowed. */
  readonly deepest?: number
}

/** An output that the agent may have written itself. */
interface Written {
  readonly output: string
  readonly before: Before
  /** The agent's answer, if any. */
  readonly answer: unknown
}

/** The start of an agent, or its refusal. */
export type Begun =
  | {
      readonly session: PipelineSession
      readonly before: Before
      /** The root of the worktree of the file. */
      readonly root: string
    }
  | { readonly refused: { readonly code: PipelineReason; readonly message: string } }

/** A judged answer: its faults, or the answer and what to write. */
export type Judged =
  | {
      readonly faults: readonly Fault[]
      /** Whether repairing is pointless. */
      readonly isFinal?: boolean
    }
  | {
      readonly answer: unknown
      /** Writes the output; returned faults mean that it was not written and that repairing is pointless. */
      keep(): Promise<readonly Fault[]>
    }

/** Keeps orchestration files in step with their missions. */
export interface PipelineKeeper {
  /** Records the start of an agent, after all earlier changes. */
  begin(which: PipelineAttempt, store: Store): Promise<Begun>
  /** Checks an agent's output or answer against all rules. */
  judge(which: PipelineAttempt, answer: unknown, before: Before): Promise<Judged>
  /**
   * Records output that an agent wrote itself, so that a later attempt may overwrite it. If the agent answered with its
   * context, someone else may have written the file.
   */
  note(which: PipelineAttempt, written: Written): void
  /** Updates the file to the state of the mission. */
  follow(which: PipelineMissionOf, store: Store): Promise<void>
}

/** The orchestration file of a mission, from its envelope; undefined when it has none. */
export function pipelineOf(envelope: Payload): PipelineMissionOf | undefined {
  const { mission_type, mission_id, tenant_id, context_refs } = envelope
  const { orchestration: file, installation, worktree } = (context_refs ?? {}) as Payload
  if (mission_type !== PIPELINE || typeof file !== 'string') return undefined
  return {
    tenant: String(tenant_id),
    mission: String(mission_id),
    file,
    installation: typeof installation === 'string' ? installation : undefined,
    worktree: typeof worktree === 'string' ? worktree : undefined,
  }
}
