import type { Missions, RunnerConfig } from '../config.ts'
import type { Runner } from '../runner.ts'
import { catalogue } from './catalogue.generated.ts'

/** Loads and creates the runner of a configuration entry. */
export async function runnerFor(config: RunnerConfig, { models = {} }: Missions): Promise<Runner> {
  const { default: kind } = await catalogue[config.runner].load()
  return kind.create(config, models)
}
