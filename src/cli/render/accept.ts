import { counted, listed, quote, spelled } from '../../contract/index.ts'
import type { AcceptOutput } from '../../operations/accept/output.ts'
import type { App } from '../../operations/operation.ts'
import type { Style } from '../parse.ts'
import { frame } from './frame.ts'
import { textWidth, wrap } from './layout.ts'
import { facts, section } from './show.ts'

/** The verdict and what blocks; then the context as its target should read it; last what was done to it. */
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
    `${style('red', '✗')} ${nameOf(output)} ${style('red', 'refused')}: nothing of it is passed on`,
    style('dim', `recorded as ${output.record.slice(0, 12)}`),
  ]
}

function verdict(output: AcceptOutput, style: Style): string[] {
  const { session, blockers } = output
  const words = {
    same: 'accepted',
    warned: `accepted, though it is of session ${quote(session.stated)}`,
    fresh: `of session ${quote(session.stated)}: started fresh, without what it holds`,
    rejected: 'refused',
  }[session.outcome]
  const color = session.outcome === 'same' ? 'green' : 'yellow'
  const lines = [`${style('green', '✓')} ${nameOf(output)} ${style(color, words)}`]
  if (blockers.length > 0) {
    const severe = blockers.filter(b => b.severity === 'critical' || b.severity === 'high')
    const names = listed(blockers.map(b => `${b.id} (${b.severity})`))
    const what = `${counted(blockers.length, 'blocker')} to be dealt with first: ${names}`
    lines.push(`${style(severe.length > 0 ? 'red' : 'yellow', '!')} ${what}`)
  }
  return lines
}

function nameOf({ path }: AcceptOutput): string {
  return path === '-' ? 'standard input' : spelled(path)
}

/** What was done on the way, a line each. */
function receipt(output: AcceptOutput, style: Style): string[] {
  const { families, session, version, masked, output: file, record } = output
  const done: string[] = []
  if (version.compatibility !== 'same' && version.stated !== null)
    done.push(`version ${version.stated} is read as ${version.read}, which is compatible`)
  if (version.ignored.length > 0) done.push(`ignored, as unknown: ${listed(version.ignored)}`)
  if (families.crossed && session.outcome !== 'fresh') done.push(crossing(families))
  if (masked > 0)
    done.push(
      `${counted(masked, 'text')} held what looks like a credential, which is masked in what is passed on`,
    )
  done.push(file === null ? 'not written; --output <file> does' : `written to ${file}`)
  done.push(`recorded as ${record.slice(0, 12)}`)
  return done.flatMap(line => wrap(line, textWidth()).map(l => style('dim', l)))
}

function crossing({ from, to, translated, before, after }: AcceptOutput['families']): string {
  const way = `from ${from} to ${to}`
  if (!translated) return `${way}: findings in the order in which they came`
  return before.join() === after.join()
    ? `${way}: findings were already in the order of severity, and of what can be acted on`
    : `${way}: findings put in the order of severity, and of what can be acted on`
}
