import { type Files, type Found, listed, quote } from '../../contract/index.ts'
import {
  agentsOf,
  constituentFaults,
  type Lock,
  type LockEntry,
  type Manifest,
  whichAgent,
  wrongSum,
} from '../agents.ts'
import { type BoundaryDecision, decideBoundary } from '../boundaries.ts'
import { type OtherEnds, otherEnds } from '../line-ends.ts'
import { lookalikeOf, strangenessOf } from '../lookalikes.ts'
import { isSameFile, readPrompt } from '../prompt-files.ts'
import type { AgentHandoff } from './schema.ts'

/** One of the two agents of a handoff, as the handoff describes it. */
export type Party = AgentHandoff['source_agent']

/** The facts for finding and comparing an agent's prompt. */
type Prompted = Pick<Party, 'agent_id' | 'prompt_hash'>

/** The two sides of a handoff. */
export const SIDES = ['source_agent', 'target_agent'] as const

/** Message and hint of a finding. */
export interface Words {
  readonly message: string
  readonly hint: string
}

type FoundManifest = Found<Manifest>
type FoundLock = Found<Lock>

/** A fault of an id or prompt, and the rule that reports it. */
export interface Fault<Rule extends string> extends Words {
  readonly rule: Rule
}

/** The rules about ids; each id violates at most one of them. */
export type IdRule = 'known-agents' | 'no-agent-aliases' | 'no-lookalike-ids'

/** Why an id is not the canonical id of an agent of the manifest. */
export function idFault(
  { agent_id: id }: Party,
  { path, value }: FoundManifest,
): Fault<IdRule> | undefined {
  const agents = agentsOf(value)
  if (agents.find(id)) return notPlain(id, path)
  const hint = whichAgent(id, agents)
  if (agents.isAmbiguous(id)) {
    const message = `${quote(id)} is ambiguous: several agents in ${path} have this canonical id`
    return { rule: 'known-agents', message, hint }
  }
  const like = lookalikeOf(id, agents)
  if (like) {
    const strange = strangenessOf(id)
    const what = strange === undefined ? '' : `, and ${strange}`
    return {
      rule: 'no-lookalike-ids',
      message: `${quote(id)} only looks like ${quote(like.id)} in ${path}${what}`,
      hint: `find out who wrote it; the canonical id is ${quote(like.id)}`,
    }
  }
  const alias = agents.alias(id)
  if (alias) {
    const message = `${quote(id)} is not a canonical id in ${path} but an alias of ${quote(alias.id)}`
    return { rule: 'no-agent-aliases', message, hint }
  }
  const message = `${quote(id)} is not a canonical id of an agent in ${path}`
  return { rule: 'known-agents', message, hint }
}

/** An invalid id that the manifest itself lists; the log could not find its entries again. */
function notPlain(id: string, path: string): Fault<IdRule> | undefined {
  const strange = strangenessOf(id)
  if (strange === undefined) return undefined
  return {
    rule: 'known-agents',
    message: `${quote(id)} ${strange}, so it is not a valid canonical id although ${path} lists it`,
    hint: 'give the agent another id in the manifest; waybill check shows the problem',
  }
}

/** Where manifest or lock contradict the handoff about an agent's type or version. */
export function disagreement(
  what: 'type' | 'version',
  party: Party,
  manifest: FoundManifest,
  lock: FoundLock,
): Words | undefined {
  const stated = party[`agent_${what}`]
  const sources = [
    { path: manifest.path, value: agentsOf(manifest.value).find(party.agent_id)?.[what] },
    { path: lock.path, value: entryOf(lock, party)?.[what] },
  ].filter(({ value }) => value !== undefined && value !== stated)
  if (sources.length === 0) return undefined
  const others = sources.map(({ path, value }) => `${path} says ${quote(value)}`)
  return {
    message: `the ${what} of ${quote(party.agent_id)} is ${quote(stated)} in the handoff, but ${listed(others)}`,
    hint: 'have the sender read manifest and lock again; if those two differ, correct them first',
  }
}

function entryOf(
  { value }: FoundLock,
  { agent_id: id }: Pick<Party, 'agent_id'>,
): LockEntry | undefined {
  return Object.hasOwn(value.prompts, id) ? value.prompts[id] : undefined
}

const BLOCK =
  'do not run the agent: have a person compare the prompt with its approved version, and reconcile all three'

/** The rules about prompts; each prompt violates at most one of them. */
export type PromptRule = 'prompts-inside-repository' | 'prompt-hash-matches-lock'

/** The inputs of a prompt verification and its result. */
interface Proof {
  readonly id: string
  readonly hash: string
  readonly manifest: FoundManifest
  readonly lock: FoundLock
  readonly files: Files
  readonly fault: Fault<PromptRule> | undefined
}

/** Cached, since several rules and the attestation verify the same prompt. */
const proofs = new WeakMap<Prompted, Proof>()

/** Why an agent's prompt differs from the locked one: file, lock entry and handoff must have the same hash. */
export function promptFault(
  party: Prompted,
  manifest: FoundManifest,
  lock: FoundLock,
  files: Files,
): Fault<PromptRule> | undefined {
  const { agent_id: id, prompt_hash: hash } = party
  const known = proofs.get(party)
  const isSame = known?.manifest === manifest && known.lock === lock && known.files === files
  if (known && isSame && known.id === id && known.hash === hash) return known.fault
  const fault = findPromptFault(party, manifest, lock, files)
  proofs.set(party, { id, hash, manifest, lock, files, fault })
  return fault
}

function findPromptFault(
  party: Prompted,
  manifest: FoundManifest,
  lock: FoundLock,
  files: Files,
): Fault<PromptRule> | undefined {
  const entry = entryOf(lock, party)
  if (!entry) {
    return {
      rule: 'prompt-hash-matches-lock',
      message: `the prompt of ${quote(party.agent_id)} cannot be verified: ${lock.path} has no entry for it`,
      hint: 'do not run the agent until a person has reviewed its prompt and locked it',
    }
  }
  // The file that the manifest names is what runs; a lock of another file proves nothing.
  const file = agentsOf(manifest.value).find(party.agent_id)?.file ?? entry.file
  const prompt = readPrompt(manifest.path, file, files)
  const leadsOut = 'fault' in prompt && prompt.leadsOut
  if (!leadsOut && !isSameFile(manifest.path, file, entry.file, files)) {
    return {
      rule: 'prompt-hash-matches-lock',
      message: `the prompt of ${quote(party.agent_id)} cannot be verified: ${manifest.path} names ${quote(file)}, but ${lock.path} locks ${quote(entry.file)}; this is a possible security issue`,
      hint: BLOCK,
    }
  }
  if ('fault' in prompt) {
    return {
      rule: leadsOut ? 'prompts-inside-repository' : 'prompt-hash-matches-lock',
      message: `the prompt of ${quote(party.agent_id)} cannot be verified: the file ${quote(prompt.path ?? file)} ${prompt.fault}`,
      hint: leadsOut
        ? `do not run the agent: find out why ${manifest.path} names that file`
        : 'do not run the agent until its locked prompt file is restored',
    }
  }
  const which = whichDiffers(party.prompt_hash, entry.hash, prompt.hash, () =>
    otherEnds(prompt, entry.hash, files),
  )
  return which === undefined
    ? undefined
    : {
        rule: 'prompt-hash-matches-lock',
        message: `the prompt of ${quote(party.agent_id)} differs from the locked version: ${which} (handoff ${short(party.prompt_hash)}, lock ${short(entry.hash)}, file ${short(prompt.hash)}); this is a possible security issue`,
        hint: BLOCK,
      }
}

function whichDiffers(
  handoff: string,
  lock: string,
  file: string,
  otherEndsNow: () => OtherEnds | undefined,
): string | undefined {
  if (lock === file) {
    return handoff === lock ? undefined : 'the hash in the handoff differs from lock and file'
  }
  if (handoff === lock) {
    const ends = otherEndsNow()
    return ends === undefined
      ? 'the file has changed since it was locked'
      : `the file has ${ends.has} line ends but was locked with ${ends.locked}`
  }
  if (handoff === file) return 'the hash in the lock differs from handoff and file'
  return 'handoff, lock and file have three different hashes'
}

const SHOWN = 8

function short(hash: string): string {
  return `${hash.slice(0, SHOWN)}…`
}

/** Whether an agent matches manifest, lock and prompt file. */
export function isVerified(
  party: Party,
  manifest: FoundManifest,
  lock: FoundLock,
  files: Files,
): boolean {
  return (
    idFault(party, manifest) === undefined &&
    disagreement('type', party, manifest, lock) === undefined &&
    disagreement('version', party, manifest, lock) === undefined &&
    promptFault(party, manifest, lock, files) === undefined
  )
}

/** The sum of an archetype's composition, if it is not 100. */
export function sumOf({ agent_id: id }: Party, { value }: FoundManifest): number | undefined {
  const agent = agentsOf(value).find(id)
  return agent && wrongSum(agent)
}

/** The faults in the constituents of an archetype. */
export function constituentsOf({ agent_id: id }: Party, { value }: FoundManifest): Words[] {
  const agents = agentsOf(value)
  const agent = agents.find(id)
  return agent ? [...constituentFaults(agent, agents)] : []
}

/** Whether the composition of an agent is valid; an unknown archetype's is not. */
export function isComposed(party: Party, manifest: FoundManifest): boolean {
  if (!agentsOf(manifest.value).find(party.agent_id)) return party.agent_type !== 'archetype'
  return sumOf(party, manifest) === undefined && constituentsOf(party, manifest).length === 0
}

/** Whether the source may hand over to the target; `undefined` if one of them is unknown. */
export function boundaryOf(
  { source_agent, target_agent }: Pick<AgentHandoff, (typeof SIDES)[number]>,
  request: string,
  { value }: FoundManifest,
): BoundaryDecision | undefined {
  const agents = agentsOf(value)
  const source = agents.find(source_agent.agent_id)
  const target = agents.find(target_agent.agent_id)
  return source && target && decideBoundary(source, target, agents, request)
}
