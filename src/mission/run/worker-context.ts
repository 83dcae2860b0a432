import type { Diagnostic } from '../../contract/index.ts'
import type { WaybillError } from '../../error.ts'
import type { DecisionContext } from '../../governance/index.ts'
import type { Store, TaskPlan, Tx } from '../../store/index.ts'
import type { Assignment, Outcome, Payload, Returns, RunContext, Tools } from '../runner.ts'
import type { Which } from './control.ts'
import type { Attempt } from './durable.ts'
import type { MissionRecord } from './record.ts'

/** What is wrong with an answer, as an agent is told. */
export type Fault = Pick<Diagnostic, 'code' | 'path' | 'message' | 'hint'>

/** What an attempt does next: for who wants to know, such as a test of what is lost when a worker dies there. */
export type Step = 'claim' | 'prompt' | 'hand over' | 'run' | 'examine' | 'end' | 'leave'

/** What a worker has at hand for every task. */
export interface WorkerContext {
  readonly store: Store
  /** The worker's UUID. */
  readonly worker: string
  readonly root: string
  /** Who hands the tasks over, by canonical id. */
  readonly orchestrator: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Told before each step of an attempt. */
  readonly onStep?: (step: Step) => void
  /** Why nobody can go on with tasks here any more; undefined while one can. */
  closed?(): WaybillError | undefined
  /** What handoffs are judged by, at this moment. */
  decisionContext(): Promise<DecisionContext>
  /** Does the work of an agent, as waybill.yaml says. */
  run(agent: string, assignment: Assignment, runContext: RunContext): Promise<Outcome>
  /** What a task of a role has to return. */
  returnsOf(role: string): Returns
  /** Makes the prompt package of a task that has none yet; null where its role takes none. */
  promptFor(task: TaskToPrompt): Promise<Payload | null>
  /** Makes artifacts of an answer and checks them with all that the mission has; faults mean that none is taken. */
  examine(answer: unknown, about: Examined): Promise<Examination>
  /** Lets out proposals that need no person, in the transaction that stores them. */
  waive(tx: Tx, which: Which): Promise<void>
  /** Records in the log what was decided on proposals of a tenant and is not recorded yet. */
  recordDecisions(tenant: string): Promise<void>
  /** Sends an approved proposal out: what the queue calls so is none of a mission's tasks. */
  deliver(attempt: Attempt, signal: AbortSignal): Promise<void>
  /** The tools of an attempt, behind the guard; undefined where it may use none. */
  toolsFor(
    assignment: Assignment,
    record: MissionRecord,
    signal: AbortSignal,
  ): Promise<Tools | undefined> | undefined
  /** Told when an attempt has ended: what is kept outside of the database follows it. */
  afterwards?(attempt: Attempt, envelope: Payload | null): Promise<void>
}

/** A task that needs prompts. */
export interface TaskToPrompt {
  readonly assignment: Omit<Assignment, 'prompt'>
  /** The template that its mission names for it. */
  readonly template: string | null
  readonly record: MissionRecord
}

/** What an answer is examined against. */
export interface Examined {
  readonly assignment: Assignment
  readonly record: MissionRecord
  /** The template of the mission. */
  readonly template: string | null
  /** When the answer came, in milliseconds since the epoch: it is not late because it is examined again. */
  readonly cameAt: number
  /** It could not be stored, so ids that were taken beside the task are looked for. */
  readonly isAgain: boolean
}

/** What came of examining an answer. */
export interface Examination {
  readonly artifacts: readonly Payload[]
  /** Who does the tasks of the graphs that are among them. */
  readonly plans: readonly TaskPlan[]
  readonly faults: readonly Fault[]
  /** The faults are none of the agent's: it is not asked again. */
  readonly isFinal?: boolean
}
