import { relative, sep } from 'node:path'
import { formatInstant } from '../../document/index.ts'
import type { EntryKind, LogAudit } from '../../governance/index.ts'
import type { LogFault, LogVerifyOutput } from './output.ts'

/** How a log is told about. */
export interface Telling {
  readonly ledger: string
  readonly quick: boolean
  readonly root: string
}

/** What `log verify` answers of what was found. */
export function outputOf(audit: LogAudit, { ledger, quick, root }: Telling): LogVerifyOutput {
  const { origin, size, kinds, since, until, erased, pending } = audit
  const place = (file: string) =>
    file.startsWith(root) ? relative(root, file).split(sep).join('/') : file
  const faults = audit.faults.map(
    (fault): LogFault => ({
      ...fault,
      severity: fault.severity === 'error' ? 'error' : 'warning',
      file: fault.file === null ? null : place(fault.file),
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
    erased: erased.map(({ ids, ...rest }) => ({ ...rest, ids: { ...ids } })),
    guards: audit.guards.map(({ file, size: of }) => ({ file: place(file), size: of })),
    witnessed: witnessedOf(audit),
    receipt: audit.receipt ?? null,
    first: firstOf(faults),
    faults,
    errors: audit.errors,
    warnings: audit.warnings,
  }
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

const COUNTED = {
  sent: 'handoff-sent',
  accepted: 'handoff-accepted',
  needsInput: 'handoff-needs-input',
  rejected: 'handoff-rejected',
  securityEvents: 'security-event',
  reconciliations: 'reconciliation',
} as const satisfies Readonly<Record<string, EntryKind>>

function countsOf(kinds: Readonly<Record<string, number>>) {
  const of = (name: keyof typeof COUNTED) => kinds[COUNTED[name]] ?? 0
  const all = Object.values(kinds).reduce((sum, count) => sum + count, 0)
  const counts = {
    sent: of('sent'),
    accepted: of('accepted'),
    needsInput: of('needsInput'),
    rejected: of('rejected'),
    securityEvents: of('securityEvents'),
    reconciliations: of('reconciliations'),
  }
  return { ...counts, other: all - Object.values(counts).reduce((sum, count) => sum + count, 0) }
}
