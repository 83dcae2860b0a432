import { existsSync } from 'node:fs'
import { relative, resolve, sep } from 'node:path'
import type { Header, Result } from '../../contract/index.ts'
import { maskSecrets } from '../../document/index.ts'
import { findGitRoot } from '../../workspace/index.ts'
import type { CheckOutput, DocumentReport, ReportedDiagnostic } from './output.ts'

/** A diagnostic with what stands beside it only where people read it, never in JSON. */
export interface DiagnosticForPeople extends ReportedDiagnostic {
  /** The line of source it stands on; secrets in it are struck out. */
  readonly excerpt?: string
  /** Why its rule exists. */
  readonly why?: string
}

/** What was decided about one document, with what people want to read beside it. */
export interface ReportForPeople extends DocumentReport {
  readonly diagnostics: readonly DiagnosticForPeople[]
}

/** What `check` answers when people read it. */
export interface CheckForPeople extends CheckOutput {
  readonly documents: readonly ReportForPeople[]
  readonly passedOver?: readonly PassedOver[]
  /** How many templates of missions were read of which there is nothing to say. */
  readonly soundTemplates?: number
  /** How many entries of the baseline excuse nothing any more. */
  readonly unneeded?: number
}

/** A file of a folder that neither declares a contract nor has its signature, and would be one if it were named. */
export interface PassedOver {
  readonly path: string
  readonly contract: string
}

/** The documents of some files, and what in them was passed over. */
export interface FileReport {
  readonly documents: readonly ReportForPeople[]
  /** How many blocks were told to be ignored. */
  readonly ignored: number
  readonly passedOver: readonly PassedOver[]
}

/** A document with its value and header, for operations that go on with it. */
export interface CheckedDocument {
  readonly report: ReportForPeople
  readonly value: unknown
  readonly header: Header
}

/** What diagnostics carry beyond the facts when people read them. */
export interface ForPeople {
  excerptOf(line: number): string
  whyOf(code: string): string | undefined
}

/** The file that a report is about: a block is named by its line, but where a file is called like that, it is meant. */
export function fileOf(path: string, { root }: { readonly root: string }): string {
  const file = path.replace(/#L[0-9]+$/, '')
  return file === path || existsSync(resolve(root, path)) ? path : file
}

/** The same, as who shows a whole Git repository calls it: our root may lie further down. */
export function fileInGit(path: string, { root }: { readonly root: string }): string {
  if (path === '-') return path
  const file = resolve(root, fileOf(path, { root }))
  return relative(findGitRoot(root) ?? root, file)
    .split(sep)
    .join('/')
}

/** A result as it is reported. */
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
      // Infos are told in a line, without a frame.
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

/** A report from another thread, which brings every text and list anew, with what reports have in common held once. */
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

/** Thousands of sound documents have nothing to list, and need no list each. */
function orNone<From, To>(list: readonly From[], make: (entry: From) => To): readonly To[] {
  return list.length === 0 ? NONE : list.map(make)
}

const lists = new Map<string, readonly (string | null)[]>()

/** Documents of one kind leave out the same rules; there are few such lists, and as many copies as documents. */
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
