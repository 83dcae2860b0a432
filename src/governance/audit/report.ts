import type { CodeMeaning } from '../../contract/index.ts'
import { AUDIT_CODES, type AuditCode } from './codes.ts'
import type { AuditedReceipt } from './receipt.ts'
import type { Erased } from './stretch.ts'
import type { Voices } from './voices.ts'

/** One thing that is wrong with a log, or worth knowing. */
export interface AuditFault {
  readonly code: AuditCode
  readonly severity: CodeMeaning['severity']
  /** The entry that it is about; null where it is about none alone. */
  readonly index: number | null
  readonly digest: string | null
  /** From the log's folder; as it was given where the file is elsewhere. */
  readonly file: string | null
  readonly message: string
  readonly why: string
  readonly hint: string
}

/** A key that entries were signed with. */
export interface AuditedKey {
  readonly keyid: string
  /** Whose it is; null where nobody has vouched for it. */
  readonly holder: string | null
  readonly entries: number
}

/** An erased entry, with where its erasure is recorded. */
export interface AuditedErasure extends Erased {
  readonly recorded: number | null
}

/** The witnesses of a policy that have cosigned a checkpoint, and whether they are enough. */
export interface AuditedWitnesses {
  readonly quorum: string
  readonly met: boolean
  /** Of those that have: the name in the policy, and when, in seconds since 1970. */
  readonly by: readonly { readonly name: string; readonly time: number }[]
}

/** What is found about a log. */
export interface LogAudit {
  readonly origin: string | undefined
  readonly size: number | undefined
  /** Hex. */
  readonly root: string | undefined
  /** The keys of the checkpoint, as `<name>+<id>`. */
  readonly signers: readonly string[]
  readonly keys: readonly AuditedKey[]
  readonly kinds: Readonly<Record<string, number>>
  /** When the first and the last entry were made, in milliseconds since 1970. */
  readonly since: number | undefined
  readonly until: number | undefined
  readonly erased: readonly AuditedErasure[]
  /** Entries that are promised and wait for a checkpoint. */
  readonly pending: number
  readonly guards: readonly { readonly file: string; readonly size: number }[]
  /** What others than the gateway have signed; nothing where the keys of nobody else are known. */
  readonly voices: Voices | undefined
  /** Who has cosigned the checkpoint; nothing where no policy was given. */
  readonly witnessed: AuditedWitnesses | undefined
  /** Those that promise what they should. */
  readonly receipts: readonly AuditedReceipt[]
  /** The bad entries in the order of the log between what is about none of them; at most `MOST_SHOWN`. */
  readonly faults: readonly AuditFault[]
  readonly errors: number
  readonly warnings: number
}

/** How many faults are told; the others are counted. */
const MOST_SHOWN = 100

/** Where a fault is. */
interface FaultPlace {
  readonly index?: number | null
  readonly digest?: string | null
  readonly file?: string | null
}

/** Gathers faults, and keeps the first ones. */
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

  /** Counts errors that are not told. */
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
