import type { Diagnostic } from '../../contract/index.ts'
import type { WaybillError } from '../../error.ts'
import type { DecisionContext } from '../../governance/index.ts'
import type { Store, TaskPlan, Tx } from '../../store/index.ts'
import type { Assignment, Outcome, Payload, Returns, RunContext, Tools } from '../runner.ts'
import type { Which } from './control.ts'
import type { Attempt } from './durable.ts'
import type { MissionRecord } from './record.ts'

/** One fault of an answer, as reported to the agent. */
export type Fault = Pick<Diagnostic, 'code' | 'path' | 'message' | 'hint'>

/** The steps of an attempt, for observers such as crash tests. */
export type Step = 'claim' | 'prompt' | 'hand over' | 'run' | 'examine' | 'end' | 'leave'

/** What a worker needs to run tasks. */
export interface WorkerContext {
  readonly store: Store
  /** The worker's UUID. */
  readonly worker: string
  readonly root: string
  /** The canonical id of the agent that hands tasks over. */
  readonly orchestrator: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Called before each step of an attempt. */
  readonly onStep?: (step: Step) => void
  /** Why this installation cannot continue; undefined while it can. */
  closed?(): WaybillError | undefined
  /** The current input of handoff decisions. */
  decisionContext(): Promise<DecisionContext>
  /** Runs an agent by its configured runner. */
  run(agent: string, assignment: Assignment, runContext: RunContext): Promise<Outcome>
  /** The standing rules in force in the repository. */
  rules?(): Promise<readonly string[]>
  /** What a task of a role must return. */
  returnsOf(role: string): Returns
  /** Builds the prompt package of a task without one; null if its role has none. */
  promptFor(task: TaskToPrompt): Promise<Payload | null>
  /** Converts an answer to artifacts and checks them against the mission; with faults, none is stored. */
  examine(answer: unknown, about: Examined): Promise<Examination>
  /** Releases proposals that need no approval, in the transaction that stores them. */
  waive(tx: Tx, which: Which): Promise<void>
  /** Records the unrecorded decisions of a tenant in the log. */
  recordDecisions(tenant: string): Promise<void>
  /** Delivers an approved proposal; its queue entry is not a task. */
  deliver(attempt: Attempt, signal: AbortSignal): Promise<void>
  /** The guarded tools of an attempt; undefined when it may use none. */
  toolsFor(
    assignment: Assignment,
    record: MissionRecord,
    signal: AbortSignal,
  ): Promise<Tools | undefined> | undefined
  /** Called after an attempt, to update state outside the database. */
  afterwards?(attempt: Attempt, envelope: Payload | null): Promise<void>
}

/** A task that needs a prompt package. */
export interface TaskToPrompt {
  readonly assignment: Omit<Assignment, 'prompt'>
  /** The prompt template that its mission names. */
  readonly template: string | null
  readonly record: MissionRecord
}

/** What an answer is checked against. */
export interface Examined {
  readonly assignment: Assignment
  readonly record: MissionRecord
  /** The name of the mission's template. */
  readonly template: string | null
  /** When the answer arrived, in milliseconds since the epoch; unchanged by later checks. */
  readonly cameAt: number
  /** The answer could not be stored, so look for artifacts with the same ids. */
  readonly isAgain: boolean
}

/** The result of checking an answer. */
export interface Examination {
  readonly artifacts: readonly Payload[]
  /** The agents of tasks in returned graphs. */
  readonly plans: readonly TaskPlan[]
  readonly faults: readonly Fault[]
  /** The agent cannot repair the faults and is not asked again. */
  readonly isFinal?: boolean
}
