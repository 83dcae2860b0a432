import type { PassedOver, ReportForPeople } from '../../operations/check/report.ts'
import type { Style } from '../parse.ts'

/** What a file was passed over in spite of. */
export const resembling = ({ contract }: PassedOver) => `it has keys of ${contract}`

/** Why a file was passed over, and what to do if it should not have been. */
export const WHAT_IF_MEANT =
  'neither its name nor its form says what it is; name it after waybill check if it is meant'

/** More of one code in a document would hide what is wrong. */
const MOST_INFOS = 5

/** Infos in a line each, with what to do the first time that it is said. */
export function infos(
  diagnostics: ReportForPeople['diagnostics'],
  path: string,
  style: Style,
): string[] {
  const told = new Map<string, number>()
  const advised = new Set<string>()
  const said = diagnostics.flatMap(({ code, severity, line, column, message, hint }) => {
    if (severity !== 'info') return []
    const count = (told.get(code) ?? 0) + 1
    told.set(code, count)
    if (count > MOST_INFOS) return []
    const place = style('dim', `${path}:${line}:${column}`)
    const advice = hint && !advised.has(hint) ? `; ${hint}` : ''
    advised.add(hint ?? '')
    return `${style('blue', 'info')}${style('dim', `[${code}]`)} ${message}${advice} ${place}`
  })
  for (const [code, count] of told) {
    const more = count - MOST_INFOS
    if (more > 0)
      said.push(style('dim', `info[${code}] ${more} more of these; --format json lists them`))
  }
  return said
}

/** Most of these are in a baseline, which is known. */
const MOST_EXCUSED = 12

/** What was excused, in a line each: first by those who wrote the document. */
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
