import {
  type AgentHandoff,
  agentsOf,
  attestationOf,
  promptFault,
  readPrompt,
  SIDES,
} from '../../contracts/index.ts'
import type {
  AgentEvidence,
  Attestation,
  Attested,
  ComparedAgent,
  PolicyEvidence,
} from '../entries/predicates.ts'
import type { ClaimedAgent } from './claims.ts'
import type { CommittedEvidence } from './committed-evidence.ts'
import type { GovernanceFiles } from './governance-files.ts'

/** The two agents of a handoff: all that verifying them needs. */
export type Sides = Pick<AgentHandoff, (typeof SIDES)[number]>

/** The four booleans when an input to compute them is missing. */
export const NOTHING: Attested = {
  source_agent_verified: false,
  target_agent_verified: false,
  composition_valid: false,
  boundaries_respected: false,
}

/** Computes the four booleans of a handoff; those that cannot be computed are false. */
export function attest(handoff: Sides, { manifest, lock, files }: GovernanceFiles): Attested {
  if ('missing' in manifest || 'missing' in lock) return NOTHING
  return attestationOf(handoff, { manifest, lock, files }) ?? NOTHING
}

/** The verified facts about a handoff's agents, computed once so that all uses agree. */
export interface Assessment {
  readonly attested: Attested
  /** The three hashes of each agent's prompt: stated, locked, and of the file. */
  readonly hashes: readonly AgentEvidence[]
  readonly mismatch: Mismatch
}

/** Computes the facts about the agents of a handoff. */
export function assess(handoff: Sides, governanceFiles: GovernanceFiles): Assessment {
  const attested = attest(handoff, governanceFiles)
  const hashes = SIDES.map(side => {
    const { agent_id: agent, prompt_hash: stated } = handoff[side]
    const { expected, computed } = ownHashes(agent, governanceFiles)
    return { agent, verified: attested[`${side}_verified`], stated, expected, computed }
  })
  return { attested, hashes, mismatch: mismatchOf(hashes, governanceFiles) }
}

/** Finds prompts that differ from the locked versions for an invalid handoff that still names its agents. */
export function mismatchClaimed(
  claimed: readonly ClaimedAgent[],
  governanceFiles: GovernanceFiles,
): Mismatch {
  const hashes = claimed.map(({ agent, stated }) => {
    const { expected, computed } = ownHashes(agent, governanceFiles)
    return { agent, verified: false, stated, expected, computed }
  })
  return mismatchOf(hashes, governanceFiles)
}

/** The locked hash of an agent's prompt and the hash of its file; null where missing. */
export function ownHashes(
  agent: string,
  governanceFiles: GovernanceFiles,
): { readonly expected: string | null; readonly computed: string | null } {
  const { manifest, lock } = governanceFiles
  if ('missing' in manifest || 'missing' in lock) return { expected: null, computed: null }
  const { prompts } = lock.value
  const entry = Object.hasOwn(prompts, agent) ? prompts[agent] : undefined
  return {
    expected: entry?.hash ?? null,
    computed: promptHash(agent, governanceFiles, entry?.file),
  }
}

/** The hash of an agent's prompt file, named by the manifest or else the lockfile; null if unreadable. */
function promptHash(
  agent: string,
  { manifest, files }: Pick<GovernanceFiles, 'manifest' | 'files'>,
  locked?: string,
): string | null {
  if ('missing' in manifest) return null
  const file = agentsOf(manifest.value).find(agent)?.file ?? locked
  const prompt = file === undefined ? undefined : readPrompt(manifest.path, file, files)
  return prompt && 'hash' in prompt ? prompt.hash : null
}

/** Hash mismatches: in the handoff, or between lockfile and file. */
export interface Mismatch {
  /** Agents whose prompt file differs from the locked version. */
  readonly here: readonly string[]
  /** Agents whose locked prompt is unreadable: missing, or outside of the repository. */
  readonly absent: readonly string[]
  /** Whether the handoff states a hash that differs from the locked one. */
  readonly stated: boolean
  /** All compared hashes. */
  readonly hashes: readonly ComparedAgent[]
}

export const NO_MISMATCH: Mismatch = { here: [], absent: [], stated: false, hashes: [] }

/** Finds prompts that differ from the locked versions; agents missing from the lockfile are skipped. */
function mismatchOf(
  hashes: readonly ComparedAgent[],
  { manifest, lock, files }: GovernanceFiles,
): Mismatch {
  if ('missing' in manifest || 'missing' in lock) return NO_MISMATCH
  const known = hashes.filter(({ expected }) => expected !== null)
  const here = known.filter(({ agent, verified, expected, computed }) => {
    // An unreadable file has no hash to compare; the agent cannot run anyway.
    if (verified || expected === null || computed === null) return false
    if (computed !== expected) return true
    // Manifest and lockfile may name different files; one of them may match.
    const party = { agent_id: agent, prompt_hash: expected }
    return promptFault(party, manifest, lock, files) !== undefined
  })
  const absent = known.filter(({ computed }) => computed === null)
  return {
    here: namesOf(here),
    absent: namesOf(absent),
    stated: known.some(({ stated, expected }) => stated !== null && stated !== expected),
    hashes,
  }
}

function namesOf(agents: readonly ComparedAgent[]): readonly string[] {
  return [...new Set(agents.map(({ agent }) => agent))]
}

/** The attestation of a handoff as recorded: computed values with their inputs. */
export function attestationFrom(
  { attested, hashes }: Assessment,
  { configuration, manifest, lock }: CommittedEvidence,
  more: {
    readonly envelope: Attestation['envelope']
    readonly policy: PolicyEvidence | null
    readonly checks: readonly string[]
    readonly notRun: readonly string[]
  },
): Attestation {
  return {
    ...attested,
    agents: hashes,
    configuration,
    manifest,
    lock,
    ...more,
  }
}
