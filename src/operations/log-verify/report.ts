import { relative, sep } from 'node:path'
import { formatInstant } from '../../document/index.ts'
import type { EntryKind, LogAudit } from '../../governance/index.ts'
import type { LogFault, LogVerifyOutput } from './output.ts'

/** Options of the report on a log. */
export interface Reporting {
  /** Null if only receipts were verified. */
  readonly ledger: string | null
  readonly quick: boolean
  readonly senders: boolean
  readonly root: string
  /** Maps a file of the log to the place shown to users; by default the file itself. */
  fileOf?(file: string): string
}

/** Converts an audit to the output of `log verify`. */
export function outputOf(audit: LogAudit, reporting: Reporting): LogVerifyOutput {
  const { ledger, quick, root } = reporting
  const { origin, size, kinds, since, until, erased, pending } = audit
  const place = (file: string) =>
    file.startsWith(root) ? relative(root, file).split(sep).join('/') : file
  const faults = audit.faults.map(
    (fault): LogFault => ({
      ...fault,
      severity: fault.severity === 'error' ? 'error' : 'warning',
      file: fault.file === null ? null : place(reporting.fileOf?.(fault.file) ?? fault.file),
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
    signed: signedOf(audit, reporting),
    witnessed: witnessedOf(audit),
    receipts: audit.receipts.map(receipt => ({ ...receipt, file: place(receipt.file) })),
    first: firstOf(faults),
    faults,
    errors: audit.errors,
    warnings: audit.warnings,
  }
}

function signedOf({ voices }: LogAudit, { senders }: Reporting): LogVerifyOutput['signed'] {
  return voices ? { people: voices.people, senders: senders ? voices.senders : null } : null
}

function witnessedOf({ witnessed }: LogAudit): LogVerifyOutput['witnessed'] {
  if (!witnessed) return null
  const by = witnessed.by.map(({ name, time }) => ({ name, time: formatInstant(time * 1000) }))
  return { ...witnessed, by }
}

/** Returns the error of the first bad entry in log order, else the first error. */
function firstOf(faults: readonly LogFault[]): LogFault | null {
  const errors = faults.filter(({ severity }) => severity === 'error')
  const ofEntries = errors
    .filter(({ index }) => index !== null)
    .sort((one, other) => (one.index ?? 0) - (other.index ?? 0))
  return ofEntries[0] ?? errors[0] ?? null
}

/** The name of the count for each kind of entry. */
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

/** Counts entries by kind; other kinds are reported as errors. */
function countsOf(kinds: Readonly<Record<string, number>>): Counts {
  const counts = Object.entries(COUNTED).map(([kind, word]) => [word, kinds[kind] ?? 0])
  return Object.fromEntries(counts)
}
