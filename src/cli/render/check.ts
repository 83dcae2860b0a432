import { relative, resolve } from 'node:path'
import { counted, spelled } from '../../contract/index.ts'
import { type CheckForPeople, fileOf, type ReportForPeople } from '../../operations/check/report.ts'
import { checkForPeople } from '../../operations/check.ts'
import type { App } from '../../operations/operation.ts'
import type { Style } from '../parse.ts'
import { excused, infos, resembling, WHAT_IF_MEANT } from './asides.ts'
import { frame } from './frame.ts'

/** Formats for machines beyond JSON, each loaded when it is asked for. */
export const formats = {
  sarif: async (output: CheckForPeople, app: App) =>
    (await import('./sarif.ts')).sarif(output, app),
  github: async (output: CheckForPeople, app: App) =>
    (await import('./github.ts')).github(output, app),
  junit: async (output: CheckForPeople) => (await import('./junit.ts')).junit(output),
}

/** Results for people carry the source lines that the frames show. */
export const forPeople = checkForPeople

/** Infos on more documents than this would hide what is wrong. */
const MOST_WITH_INFOS = 12

/** What was found, a frame for each diagnostic, and a line that sums it up. */
export function text(output: CheckForPeople, style: Style, app: App, quiet: boolean): string {
  const parts: string[] = []
  const explained = new Set<string>()
  const infos = output.documents.map(d => split(d)[1].length).filter(count => count > 0)
  const crowded = infos.length > MOST_WITH_INFOS
  for (const document of output.documents)
    parts.push(...documentLines(document, style, app, { quiet: quiet || crowded, explained }))
  if (crowded && !quiet) {
    const count = infos.reduce((sum, n) => sum + n, 0)
    parts.push(style('dim', `${counted(count, 'info')} not shown; --format json lists them`))
  }
  parts.push(...passedOver(output, style, app))
  parts.push(summary(output, style))
  return parts.join('\n')
}

interface Manner {
  readonly quiet: boolean
  /** Codes whose reason was already given. */
  readonly explained: Set<string>
}

function documentLines(
  document: ReportForPeople,
  style: Style,
  app: App,
  { quiet, explained }: Manner,
): string[] {
  // Most documents are sound, and then there is nothing to tell about them.
  if (document.accepted && document.diagnostics.length + document.suppressed.length === 0) return []
  const file = fileOf(document.path, app)
  const path = shown(file, app)
  const [loud, soft] = split(document)
  const lines = folded(loud).flatMap(([{ why, ...diagnostic }, alike]) => {
    const reason = why !== undefined && !explained.has(diagnostic.code) ? { why } : {}
    explained.add(diagnostic.code)
    const more =
      alike.length > 0 ? [style('dim', `  and ${alike.length} more like it: ${places(alike)}`)] : []
    return [frame(path, { ...diagnostic, ...reason }, style), ...more, '']
  })
  if (!quiet) {
    // What the baseline names is many, and known.
    const named = document.suppressed.filter(({ reason }) => reason !== 'in the baseline')
    lines.push(...infos(soft, path, style), ...excused(named, path, style))
  }
  const name = `${path}${document.path.slice(file.length)}${kind(document, style)}`
  if (!document.accepted) lines.push(`${style('red', '✗')} ${name}`, '')
  else if (!quiet && lines.length > 0) lines.push(`${style('green', '✓')} ${name}`, '')
  return lines
}

type Diagnostics = ReportForPeople['diagnostics']

/** How many diagnostics of one kind are framed before the rest is only told by place. */
const FRAMED = 3

/** Diagnostics in order, with those left out that say nothing new: their places go to the last one framed of their kind. */
function folded(diagnostics: Diagnostics): [Diagnostics[number], Diagnostics[number][]][] {
  const kinds = new Map<string, [Diagnostics[number], Diagnostics[number][]][]>()
  const shown: [Diagnostics[number], Diagnostics[number][]][] = []
  for (const diagnostic of diagnostics) {
    const kind = kindOf(diagnostic)
    const known = kinds.get(kind) ?? []
    const last = known[FRAMED - 1]
    if (last) last[1].push(diagnostic)
    else {
      const entry: [Diagnostics[number], Diagnostics[number][]] = [diagnostic, []]
      known.push(entry)
      kinds.set(kind, known)
      shown.push(entry)
    }
  }
  return shown
}

/** Alike is what is said of the same part of other entries, in the same words but for numbers. */
function kindOf({ code, path, message }: Diagnostics[number]): string {
  return `${code} ${path.replace(/\/[0-9]+(?=\/|$)/g, '/*')} ${message.replace(/[0-9]+/g, '0')}`
}

function places(diagnostics: Diagnostics): string {
  const lines = diagnostics.slice(0, 12).map(d => `${d.line}:${d.column}`)
  return `${lines.join(', ')}${diagnostics.length > 12 ? ' …' : ''}`
}

function split({ diagnostics }: ReportForPeople) {
  return [
    diagnostics.filter(d => d.severity !== 'info'),
    diagnostics.filter(d => d.severity === 'info'),
  ] as const
}

function kind({ contract, version, notRun }: ReportForPeople, style: Style): string {
  const names = notRun.slice(0, 3).map(code => code.slice(code.indexOf('/') + 1))
  const waiting =
    notRun.length > 0
      ? `, not run: ${names.join(', ')}${notRun.length > 3 ? ` and ${notRun.length - 3} more` : ''}`
      : ''
  return contract ? style('dim', `  ${contract} ${version}${waiting}`) : ''
}

/** Files that were passed over and may have been meant are named, up to this many. */
const MOST_PASSED_OVER = 5

function passedOver({ passedOver: files = [] }: CheckForPeople, style: Style, app: App): string[] {
  if (files.length === 0) return []
  const lines = files
    .slice(0, MOST_PASSED_OVER)
    .map(file => `passed over ${shown(file.path, app)}: ${resembling(file)}`)
  const more = files.length - MOST_PASSED_OVER
  if (more > 0) lines.push(`and ${more} more`)
  return [...[...lines, WHAT_IF_MEANT].map(line => style('dim', line)), '']
}

function nothingFound({ soundTemplates = 0 }: CheckForPeople, style: Style): string {
  if (soundTemplates === 0) return 'no documents found'
  const templates = `${counted(soundTemplates, 'template')} of missions and prompts`
  return `${style('green', `✓ nothing is wrong with ${templates}`)}, and there are no documents`
}

function summary(output: CheckForPeople, style: Style): string {
  const { summary, ignored, structureOnly, documents, baseline, unneeded = 0 } = output
  if (summary.documents === 0) return nothingFound(output, style)
  const { accepted, rejected, errors, warnings } = summary
  const verdict =
    rejected === 0
      ? style('green', `✓ ${counted(accepted, 'document')} accepted`)
      : style('red', `✗ ${rejected} of ${counted(summary.documents, 'document')} rejected`)
  const counts = [counted(errors, 'error'), counted(warnings, 'warning')]
  const excused = documents.reduce((sum, d) => sum + d.suppressed.length, 0)
  if (excused > 0) counts.push(`${excused} excused`)
  if (ignored > 0) counts.push(`${counted(ignored, 'block')} ignored`)
  if (structureOnly) counts.push('structure only: no rule was run')
  const written =
    baseline === undefined ? '' : `\nwrote ${counted(baseline, 'error')} to .waybill-baseline.json`
  const left =
    unneeded === 0
      ? ''
      : `\n${counted(unneeded, 'entry', 'entries')} of .waybill-baseline.json ${unneeded === 1 ? 'excuses' : 'excuse'} nothing any more; a check with --baseline writes it anew`
  return `${verdict} ${style('dim', `(${counts.join(', ')})`)}${written}${left}`
}

/** Paths as the reader would type them. */
function shown(path: string, { cwd, root }: App): string {
  if (path === '-') return 'standard input'
  return spelled(relative(cwd, resolve(root, path)) || path)
}
