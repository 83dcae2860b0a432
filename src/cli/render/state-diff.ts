import { spelled } from '../../contract/index.ts'
import type { App } from '../../operations/operation.ts'
import type { StateDiffOutput } from '../../operations/state-diff/output.ts'
import type { Style } from '../parse.ts'
import { indent, pad, textWidth, widthOf, wrap } from './layout.ts'
import { objectionLines, surfaceLines } from './standing.ts'

/** One line per changed part, and whether the newer state may follow the older one. */
export function text(output: StateDiffOutput, style: Style, _app: App, quiet: boolean): string {
  const { before, after, differences, accepted, diagnostics } = output
  const lines: string[] = []
  if (!quiet)
    lines.push(
      ...surfaceLines(output.to, style),
      `${style('cyan', spelled(before))} ${style('dim', '→')} ${style('cyan', spelled(after))}`,
      '',
    )
  const shown = differences.map(({ part, text }) => ({ part: spelled(part), text: spelled(text) }))
  const width = Math.min(40, Math.max(0, ...shown.map(({ part }) => widthOf(part))))
  for (const { part, text } of shown) {
    const [first = '', ...rest] = wrap(text, Math.max(30, textWidth() - width - 4))
    lines.push(`  ${style('bold', pad(part, width))}  ${first}`, ...indent(rest, width + 4))
  }
  if (differences.length === 0) lines.push('  nothing changed')
  if (diagnostics.length > 0) lines.push('', ...objectionLines(diagnostics, style))
  const verdict = accepted
    ? `${style('green', '✓')} the newer state may follow the older one`
    : `${style('red', '✗')} the newer state may not follow the older one`
  return [...lines, '', verdict].join('\n')
}
