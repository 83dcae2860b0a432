import type { CodeMeaning } from '../../contract/index.ts'
import { AUDIT_CODES, type AuditCode } from './codes.ts'
import type { AuditedReceipt } from './receipt.ts'
import type { Erased } from './stretch.ts'
import type { Voices } from './voices.ts'

/** An error or warning about a log. */
export interface AuditFault {
  readonly code: AuditCode
  readonly severity: CodeMeaning['severity']
  /** Null unless the fault concerns a single entry. */
  readonly index: number | null
  readonly digest: string | null
  /** Relative to the log's folder; as given if the file is elsewhere. */
  readonly file: string | null
  readonly message: string
  readonly why: string
  readonly hint: string
}

/** A key that entries were signed with. */
export interface AuditedKey {
  readonly keyid: string
  /** Null if the key is not listed. */
  readonly holder: string | null
  readonly entries: number
}

/** An erased entry, with the index of the entry that records its erasure. */
export interface AuditedErasure extends Erased {
  readonly recorded: number | null
}

/** The witnesses of a policy that cosigned a checkpoint, and whether they meet the quorum. */
export interface AuditedWitnesses {
  readonly quorum: string
  readonly met: boolean
  /** The name in the policy, and the time in seconds since the epoch. */
  readonly by: readonly { readonly name: string; readonly time: number }[]
}

/** The result of auditing a log. */
export interface LogAudit {
  readonly origin: string | undefined
  readonly size: number | undefined
  /** Hex. */
  readonly root: string | undefined
  /** The keys of the checkpoint, as `<name>+<id>`. */
  readonly signers: readonly string[]
  readonly keys: readonly AuditedKey[]
  readonly kinds: Readonly<Record<string, number>>
  /** Times of the first and the last entry, in milliseconds since the epoch. */
  readonly since: number | undefined
  readonly until: number | undefined
  readonly erased: readonly AuditedErasure[]
  /** How many promised entries wait for a checkpoint. */
  readonly pending: number
  readonly guards: readonly { readonly file: string; readonly size: number }[]
  /** Signatures by people and agents; undefined if none of their keys are known. */
  readonly voices: Voices | undefined
  /** Who cosigned the checkpoint; undefined if no policy was given. */
  readonly witnessed: AuditedWitnesses | undefined
  /** The valid receipts. */
  readonly receipts: readonly AuditedReceipt[]
  /** Errors before warnings, each in the order found; at most `MOST_SHOWN`. */
  readonly faults: readonly AuditFault[]
  readonly errors: number
  readonly warnings: number
}

/** How many faults are reported; further ones are only counted. */
const MOST_SHOWN = 100

interface FaultPlace {
  readonly index?: number | null
  readonly digest?: string | null
  readonly file?: string | null
}

/** Counts faults, and keeps the first `MOST_SHOWN`. */
export class Faults {
  readonly #shown: AuditFault[] = []
  #errors = 0
  #warnings = 0

  get errors(): number {
    return this.#errors
  }

  add(code: AuditCode, message: string, place: FaultPlace = {}): void {
    const { severity, why, remedy } = AUDIT_CODES[code]
    if (severity === 'error') this.#errors++
    else this.#warnings++
    if (this.#shown.length >= MOST_SHOWN) return
    const { index = null, digest = null, file = null } = place
    this.#shown.push({ code, severity, index, digest, file, message, why, hint: remedy })
  }

  /** Counts errors without reporting them. */
  more(errors: number): void {
    this.#errors += errors
  }

  result(): Pick<LogAudit, 'faults' | 'errors' | 'warnings'> {
    const rank = ({ severity }: AuditFault) => (severity === 'error' ? 0 : 1)
    return {
      faults: this.#shown.toSorted((one, other) => rank(one) - rank(other)),
      errors: this.#errors,
      warnings: this.#warnings,
    }
  }
}
