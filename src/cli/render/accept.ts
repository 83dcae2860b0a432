import { counted, listed, quote, spelled } from '../../contract/index.ts'
import type { AcceptOutput } from '../../operations/accept/output.ts'
import type { App } from '../../operations/operation.ts'
import type { Style } from '../parse.ts'
import { frame } from './frame.ts'
import { textWidth, wrap } from './layout.ts'
import { facts, section } from './show.ts'

/** The verdict and the blockers, then the context for its target agent, then what was changed in it. */
export function text(output: AcceptOutput, style: Style, _: App, quiet: boolean): string {
  const wrong = output.diagnostics.filter(d => d.severity !== 'info')
  const frames = wrong.flatMap(d => [frame(nameOf(output), d, style), ''])
  if (!output.accepted) return [...frames, ...refusal(output, style)].join('\n')
  if (quiet) return [...frames, ...verdict(output, style)].join('\n').trimEnd()
  const lines = [...frames, ...verdict(output, style), '']
  lines.push(...facts(output.facts, style))
  for (const part of output.sections)
    lines.push('', style('bold', part.title), ...section(part, style))
  return [...lines, '', ...receipt(output, style)].join('\n')
}

function refusal(output: AcceptOutput, style: Style): string[] {
  return [
    `${style('red', '✗')} ${nameOf(output)} ${style('red', 'refused')}: nothing is passed on`,
    style('dim', `recorded as ${output.record.slice(0, 12)}`),
  ]
}

function verdict(output: AcceptOutput, style: Style): string[] {
  const { session, blockers } = output
  const words = {
    same: 'accepted',
    warned: `accepted, although it belongs to session ${quote(session.stated)}`,
    fresh: `belongs to session ${quote(session.stated)}: started fresh, without its content`,
    rejected: 'refused',
  }[session.outcome]
  const color = session.outcome === 'same' ? 'green' : 'yellow'
  const lines = [`${style('green', '✓')} ${nameOf(output)} ${style(color, words)}`]
  if (blockers.length > 0) {
    const severe = blockers.filter(b => b.severity === 'critical' || b.severity === 'high')
    const names = listed(blockers.map(b => `${b.id} (${b.severity})`))
    const what = `${counted(blockers.length, 'blocker')} to resolve first: ${names}`
    lines.push(`${style(severe.length > 0 ? 'red' : 'yellow', '!')} ${what}`)
  }
  return lines
}

function nameOf({ path }: AcceptOutput): string {
  return path === '-' ? 'standard input' : spelled(path)
}

/** The changes made on the way, one per line. */
function receipt(output: AcceptOutput, style: Style): string[] {
  const { families, session, version, masked, output: file, record } = output
  const done: string[] = []
  if (version.compatibility !== 'same' && version.stated !== null)
    done.push(`version ${version.stated} was read as the compatible ${version.read}`)
  if (version.ignored.length > 0) done.push(`ignored unknown fields: ${listed(version.ignored)}`)
  if (families.crossed && session.outcome !== 'fresh') done.push(crossing(families))
  if (masked > 0) done.push(`masked what looks like a credential in ${counted(masked, 'text')}`)
  done.push(file === null ? 'not written; write it with --output <file>' : `written to ${file}`)
  done.push(`recorded as ${record.slice(0, 12)}`)
  return done.flatMap(line => wrap(line, textWidth()).map(l => style('dim', l)))
}

function crossing({ from, to, translated, before, after }: AcceptOutput['families']): string {
  const way = `from ${from} to ${to}`
  if (!translated) return `${way}: findings keep their order`
  return before.join() === after.join()
    ? `${way}: findings were already sorted by severity and actionability`
    : `${way}: sorted findings by severity and actionability`
}
