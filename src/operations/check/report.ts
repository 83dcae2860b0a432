import { existsSync } from 'node:fs'
import { relative, resolve, sep } from 'node:path'
import type { Header, Result } from '../../contract/index.ts'
import { maskSecrets } from '../../document/index.ts'
import { findGitRoot } from '../../workspace/index.ts'
import type { CheckOutput, DocumentReport, ReportedDiagnostic } from './output.ts'
import type { PassedOver } from './passed-over.ts'

/** A diagnostic with details for text output, never in JSON. */
export interface DiagnosticForPeople extends ReportedDiagnostic {
  /** Its source line, with secrets masked. */
  readonly excerpt?: string
  /** Why its rule exists. */
  readonly why?: string
}

/** The report on one document, with details for text output. */
export interface ReportForPeople extends DocumentReport {
  readonly diagnostics: readonly DiagnosticForPeople[]
}

/** The output of `check`, with details for text output. */
export interface CheckForPeople extends CheckOutput {
  readonly documents: readonly ReportForPeople[]
  /** Number of mission templates without problems. */
  readonly soundTemplates?: number
  /** Number of baseline entries that no longer excuse anything. */
  readonly unneeded?: number
}

/** The reports on the documents of some files, and the skipped files. */
export interface FileReport {
  readonly documents: readonly ReportForPeople[]
  /** Number of blocks with a `waybill-ignore` comment. */
  readonly ignored: number
  readonly passedOver: readonly PassedOver[]
}

/** A document with its value and header. */
export interface CheckedDocument {
  readonly report: ReportForPeople
  readonly value: unknown
  readonly header: Header
}

/** Returns details for text output. */
export interface ForPeople {
  excerptOf(line: number): string
  whyOf(code: string): string | undefined
}

/** Returns the file of a report: strips the line of a block (#L12), unless a file has that whole name. */
export function fileOf(path: string, { root }: { readonly root: string }): string {
  const file = path.replace(/#L[0-9]+$/, '')
  return file === path || existsSync(resolve(root, path)) ? path : file
}

/** Returns the path of a report's file from the Git root, which may be above the repository root. */
export function fileInGit(path: string, { root }: { readonly root: string }): string {
  if (path === '-') return path
  const file = resolve(root, fileOf(path, { root }))
  return relative(findGitRoot(root) ?? root, file)
    .split(sep)
    .join('/')
}

/** Converts a check result to a report. */
export function toReport(
  path: string,
  contract: { name: string; version: string } | undefined,
  result: Result,
  people?: ForPeople,
): ReportForPeople {
  return {
    path: maskSecrets(path),
    contract: contract?.name ?? null,
    version: contract?.version ?? null,
    accepted: result.accepted,
    diagnostics: orNone(result.diagnostics, d => ({
      code: d.code,
      severity: d.severity,
      path: d.path,
      line: d.range.start.line + 1,
      column: d.range.start.character + 1,
      endLine: d.range.end.line + 1,
      endColumn: d.range.end.character + 1,
      message: d.message,
      ...(d.hint === undefined ? {} : { hint: d.hint }),
      // Infos are printed without an excerpt.
      ...(people &&
        d.severity !== 'info' && {
          excerpt: people.excerptOf(d.range.start.line),
          ...withWhy(people.whyOf(d.code)),
        }),
    })),
    notRun: sharedList(result.notRun),
    suppressed: orNone(result.suppressed, s => s),
  }
}

/** Deduplicates the strings and lists of a report received from another thread. */
export function shared(report: ReportForPeople): ReportForPeople {
  const { contract, version, diagnostics, notRun, suppressed } = report
  const [name = null, number = null] = sharedList([contract, version])
  return {
    ...report,
    contract: name,
    version: number,
    diagnostics: orNone(diagnostics, d => d),
    notRun: sharedList(notRun),
    suppressed: orNone(suppressed, s => s),
  }
}

const NONE: readonly never[] = []

/** Shares one empty list to save memory. */
function orNone<From, To>(list: readonly From[], make: (entry: From) => To): readonly To[] {
  return list.length === 0 ? NONE : list.map(make)
}

const lists = new Map<string, readonly (string | null)[]>()

/** Shares equal lists: documents of one contract skip the same rules. */
function sharedList<Entry extends string | null>(list: readonly Entry[]): readonly Entry[] {
  if (list.length === 0) return NONE
  const key = list.join('\n')
  const known = lists.get(key)
  if (known) return known as readonly Entry[]
  lists.set(key, list)
  return list
}

function withWhy(why: string | undefined): { why?: string } {
  return why === undefined ? {} : { why }
}

/** Counts the documents, errors and warnings. */
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
