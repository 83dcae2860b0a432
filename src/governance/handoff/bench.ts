import type { Config } from '../../workspace/index.ts'
import type { Gateway } from '../gateway/gateway.ts'
import { openPolicies, type Policies } from '../policy/decide.ts'
import type { Bench } from './judge.ts'
import { openSurroundings } from './surroundings.ts'

/**
 * Opens what handoffs are judged by in a repository, and gives a bench for each: gateway time, and manifest and lock as
 * they are then. Policies are read once.
 */
export function openBench(root: string, config: Config, gateway: Gateway): () => Promise<Bench> {
  const policies: Policies = openPolicies(root, config)
  const surroundings = openSurroundings(root, config)
  return async () => ({
    gateway,
    policies,
    surroundings: await surroundings(),
    at: gateway.time(),
  })
}
