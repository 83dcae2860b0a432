import type { Diagnostic, Header, Result } from '../../contract/index.ts'

/** A diagnostic as results show it: one-based lines and columns. */
export interface ReportedDiagnostic {
  readonly code: string
  readonly severity: Diagnostic['severity']
  readonly path: string
  readonly line: number
  readonly column: number
  readonly endLine: number
  readonly endColumn: number
  readonly message: string
  readonly hint?: string
  /** The line of source it stands on, for people; secrets in it are struck out. */
  readonly excerpt?: string
  /** Why its rule exists, for people. */
  readonly why?: string
}

/** What was decided about one document. */
export interface DocumentReport {
  /** Relative to the root; `path#L<line>` for a block inside Markdown. */
  readonly path: string
  readonly contract: string | null
  readonly version: string | null
  readonly accepted: boolean
  readonly diagnostics: readonly ReportedDiagnostic[]
  readonly notRun: readonly string[]
  readonly suppressed: readonly {
    readonly code: string
    readonly line: number
    readonly reason: string
  }[]
}

/** The documents of one file. */
export interface FileReport {
  readonly documents: readonly DocumentReport[]
  readonly ignored: number
}

/** What `check` answers. */
export interface CheckOutput {
  readonly summary: {
    readonly documents: number
    readonly accepted: number
    readonly rejected: number
    readonly errors: number
    readonly warnings: number
  }
  readonly documents: readonly DocumentReport[]
  /** Blocks passed over by a `waybill-ignore` comment. */
  readonly ignored: number
  readonly structureOnly: boolean
}

/** A document with its value and header, for operations that go on with it. */
export interface CheckedDocument {
  readonly report: DocumentReport
  readonly value: unknown
  readonly header: Header
}

/** What diagnostics carry beyond the facts when people read them. */
export interface ForPeople {
  excerptOf(line: number): string
  whyOf(code: string): string | undefined
}

/** A result as it is reported. */
export function toReport(
  path: string,
  contract: { name: string; version: string } | undefined,
  result: Result,
  people?: ForPeople,
): DocumentReport {
  return {
    path,
    contract: contract?.name ?? null,
    version: contract?.version ?? null,
    accepted: result.accepted,
    diagnostics: result.diagnostics.map(d => ({
      code: d.code,
      severity: d.severity,
      path: d.path,
      line: d.range.start.line + 1,
      column: d.range.start.character + 1,
      endLine: d.range.end.line + 1,
      endColumn: d.range.end.character + 1,
      message: d.message,
      ...(d.hint === undefined ? {} : { hint: d.hint }),
      ...(people && {
        excerpt: people.excerptOf(d.range.start.line),
        ...withWhy(people.whyOf(d.code)),
      }),
    })),
    notRun: result.notRun,
    suppressed: result.suppressed,
  }
}

function withWhy(why: string | undefined): { why?: string } {
  return why === undefined ? {} : { why }
}

/** Adds up what was found. */
export function summarise(documents: readonly DocumentReport[]): CheckOutput['summary'] {
  let errors = 0
  let warnings = 0
  let accepted = 0
  for (const document of documents) {
    if (document.accepted) accepted++
    for (const { severity } of document.diagnostics) {
      if (severity === 'error') errors++
      else if (severity === 'warning') warnings++
    }
  }
  return {
    documents: documents.length,
    accepted,
    rejected: documents.length - accepted,
    errors,
    warnings,
  }
}
