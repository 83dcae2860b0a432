import { counted, nearest, quote } from '../contract/index.ts'

/** The type of an agent: a single domain, a composition of domains, or one that routes work. */
export type AgentType = 'domain' | 'archetype' | 'orchestrator'

interface Entry {
  readonly name: string
  readonly file: string
  readonly canonical_id: string
  readonly version: string
  readonly collaboration?: Collaboration
}

/** The agents that an agent works with; absent lists are empty. */
export interface Collaboration {
  /** Canonical ids. */
  readonly hands_to?: readonly string[]
  /** Topics that it does not handle, and the agent that does. */
  readonly out_of_scope?: readonly { readonly topic: string; readonly redirect: string }[]
}

/** The part of a prompt manifest that handoffs need; its structure has been checked. */
export interface Manifest {
  readonly domains: Readonly<Record<string, Entry & { readonly scope: string }>>
  readonly archetypes: Readonly<
    Record<
      string,
      Entry & { readonly composition: Readonly<Record<string, number>>; readonly purpose: string }
    >
  >
  readonly orchestrators?: Readonly<Record<string, Entry & { readonly scope: string }>>
}

/** One prompt in the lock. */
export interface LockEntry {
  readonly file: string
  readonly hash: string
  readonly type: AgentType
  readonly version: string
}

/** The part of a prompt lock that handoffs need; its structure has been checked. */
export interface Lock {
  readonly prompts: Readonly<Record<string, LockEntry>>
}

/** One agent of a manifest. */
export interface Agent {
  /** Its canonical id. */
  readonly id: string
  readonly type: AgentType
  readonly name: string
  /** Path of its prompt relative to the manifest's folder, or to the root where only that exists. */
  readonly file: string
  readonly version: string
  /** Its scope or purpose. */
  readonly about: string
  /** Percent by the canonical id of a domain; empty for all but archetypes. */
  readonly composition: ReadonlyMap<string, number>
  readonly handsTo: ReadonlySet<string>
  readonly collaboration: Collaboration
  /** Its section and key in the manifest. */
  readonly path: readonly [section: string, key: string]
}

/** The agents of a manifest, indexed by id. */
export interface Agents {
  /** In the order of the manifest. */
  readonly all: readonly Agent[]
  /** The agent with this canonical id; `undefined` if there is none or more than one. */
  find(id: string): Agent | undefined
  /** Whether several agents claim this canonical id. */
  isAmbiguous(id: string): boolean
  /** The agent with this name, key or shortcut, or with this canonical id in another spelling. */
  alias(name: string): Agent | undefined
  /** The agent that an alias or misspelling probably means. */
  suggest(id: string): Agent | undefined
}

const indexed = new WeakMap<Manifest, Agents>()

/** Indexes a manifest's agents; once per manifest. */
export function agentsOf(manifest: Manifest): Agents {
  const known = indexed.get(manifest)
  if (known) return known
  const agents = indexAgents([...readAgents(manifest)])
  indexed.set(manifest, agents)
  return agents
}

function* readAgents(manifest: Manifest): Generator<Agent> {
  for (const [key, entry] of Object.entries(manifest.domains)) {
    yield toAgent('domain', ['domains', key], entry, entry.scope)
  }
  for (const [key, entry] of Object.entries(manifest.archetypes)) {
    yield toAgent('archetype', ['archetypes', key], entry, entry.purpose, entry.composition)
  }
  for (const [key, entry] of Object.entries(manifest.orchestrators ?? {})) {
    yield toAgent('orchestrator', ['orchestrators', key], entry, entry.scope)
  }
}

function toAgent(
  type: AgentType,
  path: Agent['path'],
  { canonical_id: id, name, file, version, collaboration }: Entry,
  about: string,
  composition: Readonly<Record<string, number>> = {},
): Agent {
  return {
    id,
    type,
    name,
    file,
    version,
    about,
    composition: new Map(Object.entries(composition)),
    handsTo: new Set(collaboration?.hands_to),
    collaboration: collaboration ?? {},
    path,
  }
}

function indexAgents(all: readonly Agent[]): Agents {
  const byId = new Map<string, Agent>()
  const ambiguous = new Set<string>()
  for (const agent of all) {
    if (byId.has(agent.id)) ambiguous.add(agent.id)
    else byId.set(agent.id, agent)
  }
  let aliases: Map<string, Agent> | undefined
  let comparisons = 0
  const alias = (name: string) => {
    aliases ??= indexAliases(all)
    return aliases.get(flatten(name))
  }
  return {
    all,
    find: id => (ambiguous.has(id) ? undefined : byId.get(id)),
    isAmbiguous: id => ambiguous.has(id),
    alias,
    suggest: id => {
      const meant = alias(id)
      if (meant || comparisons > MOST_COMPARED) return meant
      comparisons += byId.size
      return misspelled(id, byId)
    },
  }
}

/** `domain-05` and `product` are shortcuts for `domain-05-product`. */
const SHORTCUTS = /^((?:domain|archetype|orchestrator)-[0-9]+)-(.+)$/s
const TYPE = /^(?:domain|archetype|orchestrator)-/

function indexAliases(all: readonly Agent[]): Map<string, Agent> {
  const aliases = new Map<string, Agent>()
  for (const agent of all) {
    const [, head, tail] = SHORTCUTS.exec(agent.id) ?? []
    for (const name of [
      agent.id,
      agent.path[1],
      agent.name,
      head,
      tail,
      agent.id.replace(TYPE, ''),
    ]) {
      const alias = flatten(name ?? '')
      if (alias !== '' && !aliases.has(alias)) aliases.set(alias, agent)
    }
  }
  return aliases
}

function flatten(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

/** Comparing spellings is costly; it is skipped in manifests with more agents. */
const MOST_NAMES = 1000
/** Maximum number of spelling suggestions for one manifest. */
const MOST_COMPARED = 100_000

function misspelled(id: string, byId: ReadonlyMap<string, Agent>): Agent | undefined {
  const meant = byId.size > MOST_NAMES ? undefined : nearest(id, byId.keys())
  return meant === undefined ? undefined : byId.get(meant)
}

const FEWEST_CONSTITUENTS = 2
const MOST_CONSTITUENTS = 4

/** One fault of a composition; `domain` names the constituent at fault, if any. */
export interface CompositionFault {
  readonly domain?: string
  readonly message: string
  readonly hint: string
}

/** The sum of an archetype's percentages, if it is not 100. */
export function wrongSum({ type, composition }: Agent): number | undefined {
  if (type !== 'archetype') return undefined
  let sum = 0
  for (const percent of composition.values()) sum += percent
  return sum === 100 ? undefined : sum
}

/** The faults in the constituents of an archetype, which must be two to four domains of the manifest. */
export function* constituentFaults(agent: Agent, agents: Agents): Generator<CompositionFault> {
  const { type, id, composition } = agent
  if (type !== 'archetype') return
  if (composition.size < FEWEST_CONSTITUENTS || composition.size > MOST_CONSTITUENTS) {
    yield {
      message: `${quote(id)} is composed of ${counted(composition.size, 'domain')}, not of 2 to 4`,
      hint: 'compose an archetype of 2, 3 or 4 domains',
    }
  }
  for (const domain of composition.keys()) {
    const found = agents.find(domain)
    if (found?.type === 'domain') continue
    yield {
      domain,
      message: `${quote(id)} is composed of ${quote(domain)}, ${found ? `which is an ${found.type}, not a domain` : whyUnknown(domain, agents)}`,
      hint: found
        ? 'name a domain of the manifest by its canonical id'
        : whichAgent(domain, agents),
    }
  }
}

/** Why an id identifies no agent, as a relative clause. */
export function whyUnknown(id: string, agents: Agents): string {
  return agents.isAmbiguous(id)
    ? 'which several agents of the manifest use as their id'
    : 'which is not a canonical id of the manifest'
}

/** The hint for an id that identifies no agent. */
export function whichAgent(id: string, agents: Agents): string {
  if (agents.isAmbiguous(id)) return 'give each agent of the manifest its own canonical id'
  const meant = agents.suggest(id)
  return meant
    ? `use the canonical id ${quote(meant.id)}`
    : 'name an agent of the manifest by its canonical id'
}
