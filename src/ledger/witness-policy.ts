import { type OpenedCheckpoint, openCheckpoint, parseCheckpoint } from './checkpoint.ts'
import { cosignatureVerifier } from './cosignature.ts'
import type { Faulty } from './fault.ts'
import type { Sha256 } from './hash.ts'
import { keyOf, parseNote } from './note.ts'
import { noteVerifier, type VerifyEd25519 } from './note-key.ts'
import { emptyDraft, type Group, type Party, readPolicyLine } from './witness-policy-line.ts'

/** The trusted logs, and the witnesses that must have cosigned (C2SP tlog-policy). */
export interface WitnessPolicy {
  readonly logs: readonly Party[]
  /** By their names in the policy. */
  readonly witnesses: ReadonlyMap<string, Party>
  readonly groups: ReadonlyMap<string, Group>
  /** The name of a witness or a group, or `none`. */
  readonly quorum: string
}

/** Parses a policy file. Decode the text strictly: replacement characters could make two names equal. */
export function parsePolicy(sha256: Sha256, text: string): WitnessPolicy | Faulty {
  const draft = emptyDraft()
  let quorum: string | undefined
  for (const [at, line] of text.split('\n').entries()) {
    const read = readPolicyLine(sha256, line, draft)
    if (read === undefined) continue
    if ('fault' in read) return { fault: `line ${at + 1}: ${read.fault}` }
    if (quorum !== undefined) return { fault: `line ${at + 1}: the quorum is already set` }
    quorum = read.quorum
  }
  const { logs, witnesses, groups } = draft
  return quorum === undefined
    ? { fault: 'the policy has no quorum line' }
    : { logs, witnesses, groups, quorum }
}

/** Whether the witnesses with verified signatures, named as by `keyOf`, meet the policy's quorum. */
export function isQuorumMet(policy: WitnessPolicy, verified: readonly string[]): boolean {
  const standing = new Set(['none'])
  for (const [name, { key }] of policy.witnesses)
    if (verified.includes(keyOf(key))) standing.add(name)
  // A group names only earlier members: one pass in file order is enough.
  for (const [name, { members, threshold }] of policy.groups)
    if (members.filter(member => standing.has(member)).length >= threshold) standing.add(name)
  return standing.has(policy.quorum)
}

/** Parses a signed checkpoint and accepts it if a log of the policy signed it and its quorum is met. */
export async function openByPolicy(
  note: string,
  policy: WitnessPolicy,
  verify: VerifyEd25519,
): Promise<OpenedCheckpoint | Faulty> {
  const parsed = parseNote(note)
  const claimed = 'fault' in parsed ? parsed : parseCheckpoint(parsed.text)
  if ('fault' in claimed) return claimed
  const logs = policy.logs.map(log => log.key).filter(key => key.name === claimed.origin)
  if (logs.length === 0) return { fault: `the policy has no log ${claimed.origin}` }
  const witnesses = [...policy.witnesses.values()].map(({ key }) =>
    cosignatureVerifier(key, verify),
  )
  const verifiers = [...logs.map(key => noteVerifier(key, verify)), ...witnesses]
  const opened = await openCheckpoint(note, claimed.origin, verifiers)
  if ('fault' in opened) return opened
  if (!logs.some(key => opened.verified.includes(keyOf(key))))
    return { fault: `the log ${claimed.origin} has not signed the checkpoint` }
  return isQuorumMet(policy, opened.verified)
    ? opened
    : { fault: `the quorum '${policy.quorum}' is not met` }
}
