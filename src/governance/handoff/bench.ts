import type { Config } from '../../workspace/index.ts'
import type { Gateway } from '../gateway/gateway.ts'
import { openPoliciesClosed } from '../policy/closed.ts'
import type { Bench } from './judge.ts'
import { type Standing, standingOf } from './standing.ts'
import { openSurroundings } from './surroundings.ts'

/**
 * Opens what handoffs are judged by in a repository, and gives a bench for each: gateway time, and manifest and lock as
 * they are then. Policies are read once; where they are at fault, they deny.
 */
export function openBench(root: string, config: Config, gateway: Gateway): () => Promise<Bench> {
  const policies = openPoliciesClosed(root, config, { thread: gateway.policyThread })
  const surroundings = openSurroundings(root, config)
  let known: { manifest: unknown; lock: unknown; standing: Promise<Standing> } | undefined
  return async () => {
    const now = await surroundings()
    const { manifest, lock } = now
    // Git is asked again when something else governs; once for all that come meanwhile.
    if (known?.manifest !== manifest || known.lock !== lock) {
      known = { manifest, lock, standing: standingOf(root, config, now) }
      known.standing.catch(() => {
        known = undefined
      })
    }
    const standing = await known.standing
    return { gateway, policies, surroundings: now, standing, at: gateway.time() }
  }
}
