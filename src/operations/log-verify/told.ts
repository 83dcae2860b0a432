import { relative, sep } from 'node:path'
import { formatInstant } from '../../document/index.ts'
import type { EntryKind, LogAudit } from '../../governance/index.ts'
import type { LogFault, LogVerifyOutput } from './output.ts'

/** How a log is told about. */
export interface Telling {
  /** Null where only receipts were verified. */
  readonly ledger: string | null
  readonly quick: boolean
  readonly senders: boolean
  readonly root: string
  /** Where people find what a file of the log holds; the file when absent. */
  fileOf?(file: string): string
}

/** What `log verify` answers of what was found. */
export function outputOf(audit: LogAudit, telling: Telling): LogVerifyOutput {
  const { ledger, quick, root } = telling
  const { origin, size, kinds, since, until, erased, pending } = audit
  const place = (file: string) =>
    file.startsWith(root) ? relative(root, file).split(sep).join('/') : file
  const faults = audit.faults.map(
    (fault): LogFault => ({
      ...fault,
      severity: fault.severity === 'error' ? 'error' : 'warning',
      file: fault.file === null ? null : place(telling.fileOf?.(fault.file) ?? fault.file),
    }),
  )
  const covered = since === undefined || until === undefined ? null : { since, until }
  return {
    verified: audit.errors === 0,
    quick,
    ledger,
    origin: origin ?? null,
    size: size ?? null,
    root: audit.root ?? null,
    covered: covered && { from: formatInstant(covered.since), to: formatInstant(covered.until) },
    signers: audit.signers,
    keys: audit.keys,
    counts: { entries: size ?? 0, ...countsOf(kinds), erased: erased.length, pending },
    erased: erased.map(({ ids, keys: _, ...rest }) => ({ ...rest, ids: { ...ids } })),
    guards: audit.guards.map(({ file, size: of }) => ({ file: place(file), size: of })),
    signed: signedOf(audit, telling),
    witnessed: witnessedOf(audit),
    receipts: audit.receipts.map(receipt => ({ ...receipt, file: place(receipt.file) })),
    first: firstOf(faults),
    faults,
    errors: audit.errors,
    warnings: audit.warnings,
  }
}

function signedOf({ voices }: LogAudit, { senders }: Telling): LogVerifyOutput['signed'] {
  return voices ? { people: voices.people, senders: senders ? voices.senders : null } : null
}

function witnessedOf({ witnessed }: LogAudit): LogVerifyOutput['witnessed'] {
  if (!witnessed) return null
  const by = witnessed.by.map(({ name, time }) => ({ name, time: formatInstant(time * 1000) }))
  return { ...witnessed, by }
}

/** The bad entry that comes first in the log; where no entry is bad, the first error. */
function firstOf(faults: readonly LogFault[]): LogFault | null {
  const errors = faults.filter(({ severity }) => severity === 'error')
  const ofEntries = errors
    .filter(({ index }) => index !== null)
    .sort((one, other) => (one.index ?? 0) - (other.index ?? 0))
  return ofEntries[0] ?? errors[0] ?? null
}

/** Under which word the entries of each kind are counted. */
const COUNTED = {
  'handoff-sent': 'sent',
  'handoff-accepted': 'accepted',
  'handoff-needs-input': 'needsInput',
  'handoff-rejected': 'rejected',
  'security-event': 'securityEvents',
  reconciliation: 'reconciliations',
  approval: 'approvals',
  'task-answer': 'taskAnswers',
  'writeback-decision': 'writeBackDecisions',
  'writeback-outcome': 'writeBackOutcomes',
  record: 'records',
  'key-change': 'keyChanges',
  'clock-jump': 'clockJumps',
  erasure: 'erasures',
} as const satisfies Readonly<Record<EntryKind, string>>

type Counts = Record<(typeof COUNTED)[EntryKind], number>

/** Of each kind how many there are; an entry of any other kind is a fault. */
function countsOf(kinds: Readonly<Record<string, number>>): Counts {
  const counts = Object.entries(COUNTED).map(([kind, word]) => [word, kinds[kind] ?? 0])
  return Object.fromEntries(counts)
}
