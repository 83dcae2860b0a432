import type { PassedOver, ReportForPeople } from '../../operations/check/report.ts'
import type { Style } from '../parse.ts'

/** Why a skipped file may have been meant as a document. */
export const resembling = ({ contract }: PassedOver) =>
  contract === 'handoff-note'
    ? 'it has the name of a handoff note, but none of its headings'
    : `it has keys of the ${contract} contract`

/** Why a file was skipped, and how to include it. */
export const WHAT_IF_MEANT =
  'its name and content do not identify a contract; to check it, run waybill check <file>'

/** More infos of one code would hide the errors. */
const MOST_INFOS = 5

/** One line per info; a repeated hint is shown once. */
export function infos(
  diagnostics: ReportForPeople['diagnostics'],
  path: string,
  style: Style,
): string[] {
  const counts = new Map<string, number>()
  const hinted = new Set<string>()
  const lines = diagnostics.flatMap(({ code, severity, line, column, message, hint }) => {
    if (severity !== 'info') return []
    const count = (counts.get(code) ?? 0) + 1
    counts.set(code, count)
    if (count > MOST_INFOS) return []
    const place = style('dim', `${path}:${line}:${column}`)
    const advice = hint && !hinted.has(hint) ? `; ${hint}` : ''
    hinted.add(hint ?? '')
    return `${style('blue', 'info')}${style('dim', `[${code}]`)} ${message}${advice} ${place}`
  })
  for (const [code, count] of counts) {
    const more = count - MOST_INFOS
    if (more > 0) lines.push(style('dim', `info[${code}] ${more} more; --format json lists them`))
  }
  return lines
}

const MOST_EXCUSED = 12

/** One line per excused diagnostic; those excused in the document come before the baseline's. */
export function excused(
  suppressed: ReportForPeople['suppressed'],
  path: string,
  style: Style,
): string[] {
  const isKnown = ({ reason }: (typeof suppressed)[number]) => reason === 'in the baseline'
  const sorted = [...suppressed.filter(one => !isKnown(one)), ...suppressed.filter(isKnown)]
  const lines = sorted
    .slice(0, MOST_EXCUSED)
    .map(({ code, line, reason }) => `excused ${code} ${path}:${line}: ${reason}`)
  const more = sorted.length - lines.length
  if (more > 0) lines.push(`excused ${more} more; --format json lists them`)
  return lines.map(line => style('dim', line))
}
