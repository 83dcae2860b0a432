import type { EntryKeys } from '../../ledger/index.ts'
import type { Proof } from '../people/statement.ts'
import type { PolicyOutcome } from '../policy/decide.ts'
import type { EntryKind } from '../urn.ts'

/** The ids under which an entry is found again, each by what it is the id of. */
export interface EntryIds {
  readonly handoff?: string
  readonly session?: string
  readonly mission?: string
  readonly task?: string
  /** At least one, if it is there. */
  readonly artifacts?: readonly string[]
  /** The digest of a record from before it was an entry. */
  readonly record?: string
  /** What names the one decision on a proposed write-back: hex SHA-256 of tenant, mission and proposal. */
  readonly decision?: string
  /** The digest of the document that such a record is about. */
  readonly document?: string
  /** The digest of another entry that this one is about. */
  readonly entry?: string
  /** The digest of the handoff before this one in the conversation, as the source agent has signed it. */
  readonly previous?: string
}

/** The two agents of a handoff, by their canonical ids, as far as they are known to be well-formed. */
export interface Between {
  readonly from?: string
  readonly to?: string
}

/** What every statement says. */
export interface Always {
  /** Gateway time, ISO 8601. */
  readonly at: string
  readonly ids: EntryIds
  /** Every agent that the entry is about, by canonical id. */
  readonly agents: readonly string[]
}

/** What was found: codes alone, for words may repeat what was found. */
export interface Found {
  readonly code: string
  readonly severity: 'error' | 'warning' | 'info'
}

/** One agent that a document names, by the hashes of its prompt, hex SHA-256. */
export interface ComparedAgent {
  readonly agent: string
  readonly verified: boolean
  /** As the document states it; null where it states none. */
  readonly stated: string | null
  /** As the lock pins it. */
  readonly expected: string | null
  /** Of the prompt file. */
  readonly computed: string | null
}

/** How one agent of a handoff was verified. */
export interface AgentEvidence extends ComparedAgent {
  readonly stated: string
}

/** What policies decided, and by which of them. */
export interface PolicyEvidence {
  readonly decision: PolicyOutcome['decision']
  /** The policies that determined the decision, by their ids, with the words that they had then. */
  readonly determining: PolicyOutcome['determining']
  /** Digest of the set of policies, hex SHA-256. */
  readonly set: string
  readonly errors: readonly string[]
}

/** The four computed statements about a handoff. */
export interface Attested {
  readonly source_agent_verified: boolean
  readonly target_agent_verified: boolean
  readonly composition_valid: boolean
  readonly boundaries_respected: boolean
}

/** A file that a handoff was judged by. */
export interface GoverningEvidence {
  readonly path: string
  /** Of its bytes, hex. */
  readonly sha256: string
  /** Whether the commit that is checked out holds the same; null outside of Git. */
  readonly committed: boolean | null
}

/** The computed attestation of a handoff, with what it was computed from. */
export interface Attestation extends Attested {
  readonly agents: readonly AgentEvidence[]
  readonly configuration: GoverningEvidence | null
  readonly manifest: GoverningEvidence | null
  readonly lock: GoverningEvidence | null
  /** Who signed the handoff; null for a bare document. */
  readonly envelope: { readonly sha256: string; readonly keys: readonly string[] } | null
  readonly policy: PolicyEvidence | null
  /** Codes of all rules that were run, and the scanners for secrets. */
  readonly checks: readonly string[]
  readonly notRun: readonly string[]
}

/** What an answer to a received handoff records, whatever the answer is. */
interface Answered extends Between {
  /** Of the document's bytes, hex SHA-256. */
  readonly bytes: string
  readonly attestation: Attestation | null
  readonly found: readonly Found[]
  /** That the time was given by hand and is not that of the clock. */
  readonly timeGiven?: true
}

/** Who stands behind a human statement, and whether a key shows it. */
export interface PersonStated {
  readonly by: string
  readonly standing: 'proved' | 'claimed'
  /** The signature over what was stated, and the words that were signed. */
  readonly proof?: Proof
  readonly stated: string
}

/** What a witness records of a log: that it has shown two histories, or that nothing shows whether it has. */
export type LogEvent = 'log-forked' | 'log-unproved'

/** What each kind of statement says beyond what every one says. */
export interface Predicates {
  /** `document` has no `governance.audit_trail`, which names this very entry. */
  'handoff-sent': Between & { readonly attestation: Attestation; readonly document: unknown }
  'handoff-accepted': Answered & { readonly document: unknown; readonly envelope: unknown }
  'handoff-needs-input': Answered & { readonly requirements: readonly string[] }
  /** `stage` says whether a gateway refused to send it or to receive it. */
  'handoff-rejected': Answered & { readonly stage: 'send' | 'receive' }
  'security-event': Between & {
    readonly event: 'hash-mismatch' | 'prompt-absent' | LogEvent
    /** The agents that are kept out from now on; none where nobody vouches for what the document says. */
    readonly quarantined: readonly string[]
    readonly hashes: readonly ComparedAgent[]
    readonly reason: string
    /** Hex SHA-256 of the signed statement by which the source vouched for a wrong hash; each accuses it once. */
    readonly signed?: string
    /** Of a log that was not cosigned: the two checkpoints that it has signed. */
    readonly checkpoints?: { readonly cosigned: string; readonly refused: string }
  }
  reconciliation: PersonStated & {
    readonly agent: string
    readonly why: string
    readonly old: string | null
    readonly new: string
  }
  erasure: PersonStated & {
    readonly digest: string
    readonly index: number
    readonly reason: string
    /** Under what the erased entry is found ever after; its tombstone has the same, and nobody has signed that. */
    readonly keys: EntryKeys
  }
  'clock-jump': {
    /** Milliseconds by which the clock ran ahead of (or, negative, behind) time as it passes. */
    readonly by: number
    readonly between: readonly [string, string]
    readonly where: 'in-process' | 'between-processes'
  }
  'key-change': {
    readonly change: 'created' | 'rotated' | 'revoked'
    readonly holder: { readonly kind: string; readonly name: string }
    readonly keyid: string
    /** The keys that this one succeeds. */
    readonly replaced?: readonly string[]
    readonly why?: string
  }
  record: {
    readonly type: string
    /** The record as it stood in its file; null for one that holds what looks like a credential, or that no entry can hold. */
    readonly record: Readonly<Record<string, unknown>> | null
  }
  /** What a person has answered for an agent: `stated` names the task, its attempt and the digest of the answer. */
  'task-answer': PersonStated
  approval: PersonStated & { readonly decision: 'approved' | 'rejected'; readonly why?: string }
  /** Of a proposal that nobody has to approve, `by` is the policy that lets it out, and nobody has signed. */
  'writeback-decision': Omit<PersonStated, 'standing'> & {
    readonly standing: PersonStated['standing'] | 'policy'
    readonly proposal: string
    readonly decision: 'approved' | 'rejected'
    readonly why: string
    /** Until when an approval may be acted on; null of a rejection. */
    readonly expires: string | null
    /** What policies said to an approval; nobody asks them about a rejection. */
    readonly policy?: PolicyEvidence
  }
  'writeback-outcome': {
    readonly proposal: string
    readonly outcome: 'delivered' | 'failed'
    readonly code: string
    readonly message: string
    /** How often it was sent, or tried to be. */
    readonly attempts: number
    /** What policies said to it at the last try, if it came to be asked. */
    readonly policy?: PolicyEvidence
  }
}

/** What a statement of a kind says. */
export type Predicate<K extends EntryKind> = Always & Predicates[K]
