import type { Config } from '../../workspace/index.ts'
import type { Gateway } from '../gateway/gateway.ts'
import { openPoliciesClosed } from '../policy/closed.ts'
import { type CommittedEvidence, committedEvidence } from './committed-evidence.ts'
import { openGovernanceFiles } from './governance-files.ts'
import type { DecisionContext } from './judge.ts'

/**
 * Opens the files that govern a repository's handoffs and returns a decision context for each: gateway time, manifest
 * and lockfile at that moment. Policies are read once; invalid policies deny.
 */
export function openDecisionContext(
  root: string,
  config: Config,
  gateway: Gateway,
): () => Promise<DecisionContext> {
  const policies = openPoliciesClosed(root, config, { thread: gateway.policyThread })
  const governanceFiles = openGovernanceFiles(root, config)
  let known: { manifest: unknown; lock: unknown; standing: Promise<CommittedEvidence> } | undefined
  return async () => {
    const now = await governanceFiles()
    const { manifest, lock } = now
    // Ask Git again only when a governing file changes; concurrent callers share one call.
    if (known?.manifest !== manifest || known.lock !== lock) {
      known = { manifest, lock, standing: committedEvidence(root, config, now) }
      known.standing.catch(() => {
        known = undefined
      })
    }
    const standing = await known.standing
    return { gateway, policies, governanceFiles: now, standing, at: gateway.time() }
  }
}
