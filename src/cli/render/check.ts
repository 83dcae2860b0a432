import { relative, resolve } from 'node:path'
import { counted, shellWord, spelled } from '../../contract/index.ts'
import { type CheckForPeople, fileOf, type ReportForPeople } from '../../operations/check/report.ts'
import { checkForPeople } from '../../operations/check.ts'
import type { App } from '../../operations/operation.ts'
import type { Style } from '../parse.ts'
import { excused, infos } from './asides.ts'
import { frame } from './frame.ts'

/** Machine formats other than JSON, loaded on demand. */
export const formats = {
  sarif: async (output: CheckForPeople, app: App) =>
    (await import('./sarif.ts')).sarif(output, app),
  github: async (output: CheckForPeople, app: App) =>
    (await import('./github.ts')).github(output, app),
  junit: async (output: CheckForPeople) => (await import('./junit.ts')).junit(output),
}

/** Adds the source lines that the frames show. */
export const forPeople = checkForPeople

/** Infos on more documents than this would hide the errors. */
const MOST_WITH_INFOS = 12

/** A frame for each diagnostic, then a summary line. */
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
  parts.push(...adoptable(output, style, app), summary(output, style))
  return parts.join('\n')
}

/** The next command for handoffs in another shape. */
function adoptable({ documents }: CheckForPeople, style: Style, app: App): string[] {
  const first = documents.find(
    ({ accepted, contract, diagnostics }) =>
      !accepted &&
      contract?.startsWith('handoff-') &&
      diagnostics.some(({ code }) => MISSHAPEN.test(code)),
  )
  if (!first) return []
  const command = `waybill adopt ${shellWord(shown(first.path, app))}`
  return [style('dim', `to make a sound handoff note of one in another shape: ${command}`), '']
}

const MISSHAPEN = /^schema\/|\/required-(?:sections|parts)$/

interface Options {
  readonly quiet: boolean
  /** Codes whose reason was already shown. */
  readonly explained: Set<string>
}

function documentLines(
  document: ReportForPeople,
  style: Style,
  app: App,
  { quiet, explained }: Options,
): string[] {
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
    // A baseline excuses many diagnostics that the reader already knows.
    const named = document.suppressed.filter(({ reason }) => reason !== 'in the baseline')
    lines.push(...infos(soft, path, style), ...excused(named, path, style))
  }
  const name = `${path}${document.path.slice(file.length)}${kind(document, style)}`
  if (!document.accepted) lines.push(`${style('red', '✗')} ${name}`, '')
  else if (!quiet && lines.length > 0) lines.push(`${style('green', '✓')} ${name}`, '')
  return lines
}

type Diagnostics = ReportForPeople['diagnostics']

/** How many diagnostics of one kind get a frame; of the rest only the places are listed. */
const FRAMED = 3

/** Groups the diagnostics beyond `FRAMED` of a kind under the last framed one. */
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

/** Diagnostics are alike when code, path and message differ only in numbers. */
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
  const suffix =
    notRun.length > 0
      ? `, not run: ${names.join(', ')}${notRun.length > 3 ? ` and ${notRun.length - 3} more` : ''}`
      : ''
  return contract ? style('dim', `  ${contract} ${version}${suffix}`) : ''
}

/** How many skipped files are named. */
const MOST_PASSED_OVER = 5

function passedOver({ passedOver: files = [] }: CheckForPeople, style: Style, app: App): string[] {
  if (files.length === 0) return []
  const lines = files
    .slice(0, MOST_PASSED_OVER)
    .flatMap(({ path, why, next }) => [`skipped ${shown(path, app)}: ${why}`, `  next: ${next}`])
  const more = files.length - MOST_PASSED_OVER
  if (more > 0) lines.push(`and ${more} more; --format json lists them`)
  return [...lines.map(line => style('dim', line)), '']
}

function nothingFound({ soundTemplates = 0, nothing }: CheckForPeople, style: Style): string {
  if (nothing) return `no documents found: ${nothing.why}\n  next: ${nothing.next}`
  const templates = counted(soundTemplates, 'mission or prompt template')
  return `${style('green', `✓ ${templates} valid`)}, no documents found`
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
  if (structureOnly) counts.push('structure only: no rules were run')
  const written =
    baseline === undefined ? '' : `\nwrote ${counted(baseline, 'error')} to .waybill-baseline.json`
  const left =
    unneeded === 0
      ? ''
      : `\n${counted(unneeded, 'entry', 'entries')} of .waybill-baseline.json no longer ${unneeded === 1 ? 'matches' : 'match'}; update it with waybill check --baseline`
  return `${verdict} ${style('dim', `(${counts.join(', ')})`)}${written}${left}`
}

/** The path relative to the working directory. */
function shown(path: string, { cwd, root }: App): string {
  if (path === '-') return 'standard input'
  return spelled(relative(cwd, resolve(root, path)) || path)
}
