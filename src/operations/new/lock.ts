import { posix } from 'node:path'
import type { Fact, Fields } from '../../contract/index.ts'
import type { FactSources } from '../check/fact-sources.ts'
import type { Known } from './known.ts'

const GROUPS = [
  ['domains', 'domain'],
  ['archetypes', 'archetype'],
  ['orchestrators', 'orchestrator'],
] as const

/** Returns the lockfile fields: a digest for every agent of the manifest whose file exists. */
export function lockOf({ manifest }: { readonly manifest: Fact }, { files }: FactSources): Known[] {
  const from = 'the manifest and its files'
  const known: Known[] = [{ path: ['lockfileVersion'], value: 1, from: 'the contract' }]
  if (!('value' in manifest)) return known
  const { path, value } = manifest.value as { path: string; value: Fields }
  const prompts: Record<string, unknown> = {}
  for (const [group, type] of GROUPS) {
    for (const [id, agent] of Object.entries((value[group] ?? {}) as Record<string, Fields>)) {
      const { file, version } = agent
      const hash = files.sha256(posix.join(posix.dirname(path), String(file)))
      if (hash !== undefined) prompts[id] = { file, hash, type, version }
    }
  }
  const count = (group: string) => Object.keys((value[group] ?? {}) as Fields).length
  const integrity = {
    total_prompts: Object.keys(prompts).length,
    domains: count('domains'),
    archetypes: count('archetypes'),
  }
  return [
    ...known,
    { path: ['version'], value: value.version, from },
    { path: ['prompts'], value: prompts, from },
    { path: ['integrity'], value: integrity, from },
  ]
}
