import { relative, resolve } from 'node:path'
import { counted } from '../../contract/index.ts'
import { checkForPeople } from '../../operations/check.ts'
import type { CheckOutput, DocumentReport } from '../../operations/check/report.ts'
import type { App } from '../../operations/operation.ts'
import type { Style } from '../parse.ts'
import { frame } from './frame.ts'
import { github } from './github.ts'
import { junit } from './junit.ts'
import { sarif } from './sarif.ts'

/** Formats for machines beyond JSON. */
export const formats = { sarif, github, junit }

/** Results for people carry the source lines that the frames show. */
export const forPeople = checkForPeople

/** What was found, a frame for each diagnostic, and a line that sums it up. */
export function text(output: CheckOutput & { baseline?: number }, style: Style, app: App, quiet: boolean): string {
  const parts: string[] = []
  const explained = new Set<string>()
  for (const document of output.documents) parts.push(...documentLines(document, style, app, { quiet, explained }))
  if (parts.length > 0) parts.push('')
  parts.push(summary(output, style))
  return parts.join('\n')
}

interface Manner {
  readonly quiet: boolean
  /** Codes whose reason was already given. */
  readonly explained: Set<string>
}

function documentLines(document: DocumentReport, style: Style, app: App, { quiet, explained }: Manner): string[] {
  const [file = '', block] = document.path.split('#')
  const path = shown(file, app)
  const lines: string[] = []
  const [loud, soft] = split(document)
  for (const { why, ...diagnostic } of loud) {
    const reason = why !== undefined && !explained.has(diagnostic.code) ? { why } : {}
    explained.add(diagnostic.code)
    lines.push(frame(path, { ...diagnostic, ...reason }, style), '')
  }
  if (!quiet) for (const { code, line, column, message } of soft) {
    lines.push(`${style('blue', 'info')}${style('dim', `[${code}]`)} ${message} ${style('dim', `${path}:${line}:${column}`)}`)
  }
  if (!quiet) for (const { code, line, reason } of document.suppressed) {
    if (reason !== 'in the baseline') lines.push(style('dim', `excused ${code} ${path}:${line}: ${reason}`))
  }
  const name = block ? `${path}#${block}` : path
  if (!document.accepted) lines.push(`${style('red', '✗')} ${name}${kind(document, style)}`, '')
  else if (!quiet && lines.length > 0) lines.push(`${style('green', '✓')} ${name}${kind(document, style)}`, '')
  return lines
}

function split({ diagnostics }: DocumentReport) {
  return [diagnostics.filter(d => d.severity !== 'info'), diagnostics.filter(d => d.severity === 'info')] as const
}

function kind({ contract, version, notRun }: DocumentReport, style: Style): string {
  const waiting = notRun.length > 0 ? `, ${counted(notRun.length, 'rule')} not run` : ''
  return contract ? style('dim', `  ${contract} ${version}${waiting}`) : ''
}

function summary({ summary, ignored, structureOnly, documents, baseline }: CheckOutput & { baseline?: number }, style: Style): string {
  if (summary.documents === 0) return 'no documents found'
  const { accepted, rejected, errors, warnings } = summary
  const verdict = rejected === 0 ? style('green', `✓ ${counted(accepted, 'document')} accepted`) : style('red', `✗ ${rejected} of ${counted(summary.documents, 'document')} rejected`)
  const counts = [counted(errors, 'error'), counted(warnings, 'warning')]
  const excused = documents.reduce((sum, d) => sum + d.suppressed.length, 0)
  if (excused > 0) counts.push(`${excused} excused`)
  if (ignored > 0) counts.push(`${counted(ignored, 'block')} ignored`)
  if (structureOnly) counts.push('structure only: no rule was run')
  const written = baseline === undefined ? '' : `\nwrote ${counted(baseline, 'error')} to .waybill-baseline.json`
  return `${verdict} ${style('dim', `(${counts.join(', ')})`)}${written}`
}

/** Paths as the reader would type them. */
function shown(path: string, { cwd, root }: App): string {
  if (path === '-') return 'standard input'
  return relative(cwd, resolve(root, path)) || path
}
