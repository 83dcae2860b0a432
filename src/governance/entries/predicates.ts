import type { EntryKeys } from '../../ledger/index.ts'
import type { Proof } from '../people/statement.ts'
import type { PolicyOutcome } from '../policy/decide.ts'
import type { EntryKind } from '../urn.ts'

/** The ids that an entry is indexed by. */
export interface EntryIds {
  readonly handoff?: string
  readonly session?: string
  readonly mission?: string
  readonly task?: string
  /** Not empty if present. */
  readonly artifacts?: readonly string[]
  /** The digest of an imported record. */
  readonly record?: string
  /** Identifies the decision on a proposed write-back: hex SHA-256 of tenant, mission and proposal. */
  readonly decision?: string
  /** The digest of the document that an imported record is about. */
  readonly document?: string
  /** The digest of another entry that this one is about. */
  readonly entry?: string
  /** The digest of the previous handoff in the conversation, as the source agent signed it. */
  readonly previous?: string
}

/** The canonical ids of the two agents of a handoff, if well-formed. */
export interface Between {
  readonly from?: string
  readonly to?: string
}

/** The fields of every statement. */
export interface Always {
  /** Gateway time, ISO 8601. */
  readonly at: string
  readonly ids: EntryIds
  /** The canonical ids of all agents that the entry is about. */
  readonly agents: readonly string[]
}

/** A finding: only its code, because messages may quote the document. */
export interface Found {
  readonly code: string
  readonly severity: 'error' | 'warning' | 'info'
}

/** An agent that a document names, with hashes of its prompt, hex SHA-256. */
export interface ComparedAgent {
  readonly agent: string
  readonly verified: boolean
  /** From the document; null if it states none. */
  readonly stated: string | null
  /** From the lock. */
  readonly expected: string | null
  /** Of the prompt file. */
  readonly computed: string | null
}

/** How one agent of a handoff was verified. */
export interface AgentEvidence extends ComparedAgent {
  readonly stated: string
}

/** A policy decision, and the policies that determined it. */
export interface PolicyEvidence {
  readonly decision: PolicyOutcome['decision']
  /** The determining policies, by id, with their text at the time. */
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

/** A file that a handoff was checked against. */
export interface GoverningEvidence {
  readonly path: string
  /** Digest of its bytes, hex SHA-256. */
  readonly sha256: string
  /** Whether the checked-out commit holds the same bytes; null outside of Git. */
  readonly committed: boolean | null
}

/** The computed attestation of a handoff, with its inputs. */
export interface Attestation extends Attested {
  readonly agents: readonly AgentEvidence[]
  readonly configuration: GoverningEvidence | null
  readonly manifest: GoverningEvidence | null
  readonly lock: GoverningEvidence | null
  /** Who signed the handoff; null for a bare document. */
  readonly envelope: { readonly sha256: string; readonly keys: readonly string[] } | null
  readonly policy: PolicyEvidence | null
  /** Codes of all rules run, and the secret scanners. */
  readonly checks: readonly string[]
  readonly notRun: readonly string[]
}

/** The fields of every answer to a received handoff. */
interface Answered extends Between {
  /** Digest of the document's bytes, hex SHA-256. */
  readonly bytes: string
  readonly attestation: Attestation | null
  readonly found: readonly Found[]
  /** Whether the time was given by hand instead of by the clock. */
  readonly timeGiven?: true
}

/** The person behind a statement, and whether a key proves it. */
export interface PersonStated {
  readonly by: string
  readonly standing: 'proved' | 'claimed'
  /** The signature, and the signed text. */
  readonly proof?: Proof
  readonly stated: string
}

/** What a witness records about a log: a proved fork, or a checkpoint without a valid consistency proof. */
export type LogEvent = 'log-forked' | 'log-unproved'

/** The fields of each kind of statement, in addition to `Always`. */
export interface Predicates {
  /** `document` lacks `governance.audit_trail`, which names this entry. */
  'handoff-sent': Between & { readonly attestation: Attestation; readonly document: unknown }
  'handoff-accepted': Answered & { readonly document: unknown; readonly envelope: unknown }
  'handoff-needs-input': Answered & { readonly requirements: readonly string[] }
  /** `stage`: whether a gateway refused to send or to receive it. */
  'handoff-rejected': Answered & { readonly stage: 'send' | 'receive' }
  'security-event': Between & {
    readonly event: 'hash-mismatch' | 'prompt-absent' | LogEvent
    /** The agents now in quarantine; empty if the document is not signed. */
    readonly quarantined: readonly string[]
    readonly hashes: readonly ComparedAgent[]
    readonly reason: string
    /** Hex SHA-256 of the source's signed statement with the wrong hash; each counts once. */
    readonly signed?: string
    /** The two checkpoints signed by a log that was not cosigned. */
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
    /** The index keys of the erased entry; signed here, while its tombstone is not signed. */
    readonly keys: EntryKeys
  }
  'clock-jump': {
    /** Milliseconds by which the clock ran ahead of (or, if negative, behind) elapsed time. */
    readonly by: number
    readonly between: readonly [string, string]
    readonly where: 'in-process' | 'between-processes'
  }
  'key-change': {
    readonly change: 'created' | 'rotated' | 'revoked'
    readonly holder: { readonly kind: string; readonly name: string }
    readonly keyid: string
    /** The keys that this one replaces. */
    readonly replaced?: readonly string[]
    readonly why?: string
  }
  record: {
    readonly type: string
    /** The record as in its file; null if it may hold a credential, or does not fit into an entry. */
    readonly record: Readonly<Record<string, unknown>> | null
  }
  /** A person's answer for an agent: `stated` names the task, its attempt and the digest of the answer. */
  'task-answer': PersonStated
  approval: PersonStated & { readonly decision: 'approved' | 'rejected'; readonly why?: string }
  /** If no person needs to approve, `by` is the permitting policy, and there is no signature. */
  'writeback-decision': Omit<PersonStated, 'standing'> & {
    readonly standing: PersonStated['standing'] | 'policy'
    readonly proposal: string
    readonly decision: 'approved' | 'rejected'
    readonly why: string
    /** When an approval expires; null for a rejection. */
    readonly expires: string | null
    /** The policy decision on an approval; rejections are not evaluated. */
    readonly policy?: PolicyEvidence
  }
  'writeback-outcome': {
    readonly proposal: string
    readonly outcome: 'delivered' | 'failed'
    readonly code: string
    readonly message: string
    /** The number of delivery attempts. */
    readonly attempts: number
    /** The policy decision at the last attempt, if evaluated. */
    readonly policy?: PolicyEvidence
  }
}

/** The predicate of a statement of a kind. */
export type Predicate<K extends EntryKind> = Always & Predicates[K]
