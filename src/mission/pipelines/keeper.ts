import type { Store } from '../../store/index.ts'
import type { Fault } from '../run/worker-context.ts'
import type { Payload, PipelineReason, PipelineSession } from '../runner.ts'

/** What the envelopes of missions say that are made of an orchestration file. */
export const PIPELINE = 'pipeline'

/** The orchestration file that a mission was made of. */
export interface PipelineMissionOf {
  readonly tenant: string
  readonly mission: string
  /** From the root. */
  readonly file: string
  /** The log of the repository in which the file stands; of an older mission it is not known. */
  readonly installation: string | undefined
  /** Which of the worktrees of the repository, as `worktreeOf` names it; of an older mission it is not known. */
  readonly worktree: string | undefined
}

/** An attempt at the task of one of its agents. */
export interface PipelineAttempt extends PipelineMissionOf {
  readonly address: string
  readonly attempt: number
  /** It has begun before: it was waited for since, or is to repair its answer. */
  readonly isContinued: boolean
  /** It is to repair its answer. */
  readonly isRepair: boolean
}

/** How things stood before an agent began, by which it is judged; JSON, as it is kept while the agent is waited for. */
export interface Before {
  /** What told the files apart that stood where it writes. */
  readonly output?: string | undefined
  readonly artifact?: string | undefined
  /** How deep the file let agents start agents. */
  readonly deepest?: number
}

/** What may have been written by an agent itself. */
interface Written {
  readonly output: string
  readonly before: Before
  /** What the agent answered with, if it did. */
  readonly answer: unknown
}

/** Whether an agent may begin, and what with. */
export type Begun =
  | {
      readonly session: PipelineSession
      readonly before: Before
      /** The root of the worktree in which the file stands. */
      readonly root: string
    }
  | { readonly refused: { readonly code: PipelineReason; readonly message: string } }

/** An answer as the mission takes it, and what is left to do when it has been. */
export type Judged =
  | {
      readonly faults: readonly Fault[]
      /** No other answer would mend them. */
      readonly isFinal?: boolean
    }
  | {
      readonly answer: unknown
      /** Writes what is to be kept; faults mean that it was not, and that no other answer would be. */
      keep(): Promise<readonly Fault[]>
    }

/** Whoever keeps orchestration files true while missions are made of them. */
export interface PipelineKeeper {
  /** Notes that an agent begins, after everything that came before it. */
  begin(which: PipelineAttempt, store: Store): Promise<Begun>
  /** Checks what an agent has written, or answered with, against all rules. */
  judge(which: PipelineAttempt, answer: unknown, before: Before): Promise<Judged>
  /**
   * Notes what an agent has written to its place itself, whatever it came to: a later one may be written over it. Beside
   * one that answers with its context somebody else may have written there.
   */
  note(which: PipelineAttempt, written: Written): void
  /** Lets the file follow what the database says of the mission. */
  follow(which: PipelineMissionOf, store: Store): Promise<void>
}

/** The orchestration file of a mission, by its envelope; nothing where it has none. */
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
