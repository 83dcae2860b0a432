import type { Missions, RunnerConfig } from '../config.ts'
import type { Runner } from '../runner.ts'

type Key = Exclude<keyof RunnerConfig, 'runner'>

/** A kind of runner; its file name is its name in `waybill.yaml`. */
export interface RunnerKind {
  /** What runs the agent, such as `a local program`. */
  readonly what: string
  /** The required keys of its configuration, without `runner`. */
  readonly needs: readonly Key[]
  /** The optional keys. */
  readonly allows: readonly Key[]
  create(config: RunnerConfig, models: NonNullable<Missions['models']>): Runner
}

/** Declares a kind of runner as the default export of its file, where `npm run generate` finds it. */
export function defineRunner(kind: RunnerKind): RunnerKind {
  return kind
}
