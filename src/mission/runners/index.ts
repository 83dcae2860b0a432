import type { Missions, RunnerConfig } from '../config.ts'
import type { Runner } from '../runner.ts'

/** Loads and creates the runner of a configuration entry. */
export async function runnerFor(config: RunnerConfig, { models }: Missions): Promise<Runner> {
  switch (config.runner) {
    case 'command': {
      const { commandRunner } = await import('./command.ts')
      return commandRunner(config)
    }
    case 'model': {
      const { modelRunner } = await import('./model.ts')
      return modelRunner(config, models ?? {})
    }
    case 'a2a': {
      const { a2aRunner } = await import('./a2a.ts')
      return a2aRunner(config)
    }
    case 'human': {
      const { humanRunner } = await import('./human.ts')
      return humanRunner()
    }
  }
}
