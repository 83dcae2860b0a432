import { findContract, type Manifest } from '../../contracts/index.ts'
import type { Config } from '../../workspace/index.ts'
import { findAgents } from '../check/agent-facts.ts'
import { openFacts } from '../check/facts.ts'

/** The agents of a repository's manifest, or why they cannot be read. */
export type FoundAgents = { readonly ids: readonly string[] } | { readonly missing: string }

/** Finds the agents of the configured manifest, or the one at the root. */
export async function manifestAgents(
  place: { readonly root: string; readonly now: number },
  config: Config,
): Promise<FoundAgents> {
  const contract = findContract('prompt-manifest')
  if (!contract) return { ids: [] }
  const source = { file: place.root, path: 'document', named: false }
  const subject = { source, contract, value: undefined }
  const { manifest } = await findAgents(subject, openFacts(place, config))
  if ('missing' in manifest) {
    // A manifest is optional.
    return manifest.missing.startsWith('no prompt-manifest.json') ? { ids: [] } : manifest
  }
  const { domains, archetypes, orchestrators = {} } = (manifest.value as { value: Manifest }).value
  const all = [domains, archetypes, orchestrators].flatMap(section => Object.values(section))
  return { ids: [...new Set(all.map(({ canonical_id }) => canonical_id))] }
}
