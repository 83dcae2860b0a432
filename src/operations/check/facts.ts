import type { Fact, Facts } from '../../contract/index.ts'
import type { Config, GitListing } from '../../workspace/index.ts'
import { openFiles } from '../../workspace/index.ts'
import { ageLimitsIn } from './age-limits.ts'
import { findAgents } from './agent-facts.ts'
import type { FactSources, Subject } from './fact-sources.ts'
import { findLineage, measureDrift } from './lineage-facts.ts'
import { findMission } from './mission-facts.ts'

interface Place {
  readonly root: string
  readonly now: number
  /** What was looked up before in the same call. */
  readonly memory?: Map<string, unknown> | undefined
}

/** Opens the sources of facts of a repository at a time in milliseconds since the epoch. */
export function openFacts(
  { root, now, memory = new Map() }: Place,
  config: Config,
  given: Facts = {},
  listings: GitListing[] = [],
): FactSources {
  return { root, now, config, files: openFiles(root), given, memory, listings }
}

type Provider = (subject: Subject, sources: FactSources) => Promise<Fact> | Fact

const PROVIDERS: Readonly<Record<string, Provider>> = {
  files: (_, { files }) => ({ value: files }),
  manifest: async (subject, sources) => (await findAgents(subject, sources)).manifest,
  manifestPath: async (subject, sources) => (await findAgents(subject, sources)).manifestPath,
  lock: async (subject, sources) => (await findAgents(subject, sources)).lock,
  envelope: async (subject, sources) => (await findMission(subject, sources)).envelope,
  graphs: async (subject, sources) => (await findMission(subject, sources)).graphs,
  policies: async (subject, sources) => (await findMission(subject, sources)).policies,
  artifacts: async (subject, sources) => (await findMission(subject, sources)).artifacts,
  lineage: findLineage,
  drift: measureDrift,
  headings: (_, { config }) => ({ value: config.headings ?? {} }),
  ageLimits: (_, { config }) => ({ value: ageLimitsIn(config) }),
}

/** Gathers the facts that a document's rules need; a missing fact states the reason. */
export async function gatherFacts(
  names: readonly string[],
  subject: Subject,
  sources: FactSources,
): Promise<Facts> {
  const facts: Record<string, Fact> = {}
  for (const name of names) {
    const given = sources.given[name]
    if (given) facts[name] = given
    else if (PROVIDERS[name]) facts[name] = await PROVIDERS[name](subject, sources)
  }
  return facts
}
