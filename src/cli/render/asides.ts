import type { ReportForPeople } from '../../operations/check/report.ts'
import type { Style } from '../parse.ts'

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

/** What was excused, in a line each. */
export function excused(
  suppressed: ReportForPeople['suppressed'],
  path: string,
  style: Style,
): string[] {
  return suppressed.map(({ code, line, reason }) =>
    style('dim', `excused ${code} ${path}:${line}: ${reason}`),
  )
}
