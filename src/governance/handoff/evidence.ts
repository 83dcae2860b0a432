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

/** The two agents of a handoff; all that is needed to verify them. */
export type Sides = Pick<AgentHandoff, (typeof SIDES)[number]>

/** What the four booleans are when something that they are computed from is not there. */
export const NOTHING: Attested = {
  source_agent_verified: false,
  target_agent_verified: false,
  composition_valid: false,
  boundaries_respected: false,
}

/** Computes the four statements of a handoff; what cannot be computed is false. */
export function attest(handoff: Sides, { manifest, lock, files }: GovernanceFiles): Attested {
  if ('missing' in manifest || 'missing' in lock) return NOTHING
  return attestationOf(handoff, { manifest, lock, files }) ?? NOTHING
}

/** What was found out about the agents of a handoff; once, so that every use of it says the same. */
export interface Assessment {
  readonly attested: Attested
  /** The three hashes of each agent's prompt: as stated, as locked, and of the file. */
  readonly hashes: readonly AgentEvidence[]
  readonly mismatch: Mismatch
}

/** Finds out about the agents of a handoff what can be computed. */
export function assess(handoff: Sides, governanceFiles: GovernanceFiles): Assessment {
  const attested = attest(handoff, governanceFiles)
  const hashes = SIDES.map(side => {
    const { agent_id: agent, prompt_hash: stated } = handoff[side]
    const { expected, computed } = ownHashes(agent, governanceFiles)
    return { agent, verified: attested[`${side}_verified`], stated, expected, computed }
  })
  return { attested, hashes, mismatch: mismatchOf(hashes, governanceFiles) }
}

/** Finds prompts that are not the locked ones where a document is no sound handoff, and yet says which agents it is about. */
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

/** The hash of an agent's prompt as the lock pins it, and that of its file; null for what is not there. */
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

/** The hash of an agent's prompt file, which the manifest names or else the lock; null where it cannot be read. */
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

/** Where hashes differ: in what the handoff states, or here, between lock and file. */
export interface Mismatch {
  /** Agents whose prompt file is not the locked one. */
  readonly here: readonly string[]
  /** Agents whose locked prompt cannot be read: its file is gone, or is named outside of the repository. */
  readonly absent: readonly string[]
  /** Whether the handoff states a hash that is not the locked one. */
  readonly stated: boolean
  /** All hashes that were compared. */
  readonly hashes: readonly ComparedAgent[]
}

/** What there is where nothing differs, or nothing can be compared. */
export const NO_MISMATCH: Mismatch = { here: [], absent: [], stated: false, hashes: [] }

/** Finds prompts that are not the locked ones; an agent that the lock does not know has no prompt to differ from. */
function mismatchOf(
  hashes: readonly ComparedAgent[],
  { manifest, lock, files }: GovernanceFiles,
): Mismatch {
  if ('missing' in manifest || 'missing' in lock) return NO_MISMATCH
  const known = hashes.filter(({ expected }) => expected !== null)
  const here = known.filter(({ agent, verified, expected, computed }) => {
    // A file that cannot be read has no hash to differ: the agent cannot run anyway.
    if (verified || expected === null || computed === null) return false
    if (computed !== expected) return true
    // Manifest and lock may name different files, of which one has the right bytes.
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

/** The attestation of a handoff as it is recorded: computed, with everything it was computed from. */
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
