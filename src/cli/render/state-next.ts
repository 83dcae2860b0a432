import { spelled } from '../../contract/index.ts'
import type { App } from '../../operations/operation.ts'
import type { StateNextOutput } from '../../operations/state-next/output.ts'
import type { Style } from '../parse.ts'
import { indent, pad, textWidth, widthOf, wrap } from './layout.ts'
import { objectionLines, standingText, surfaceLines } from './standing.ts'

/** The session's position, the possible next steps, what blocks them, and whether code may be written. */
export function text(output: StateNextOutput, style: Style, _app: App, quiet: boolean): string {
  const { asked, path, state, inTheWay } = output
  if (asked === 'may-write-code') return code(output, style, quiet)
  const surface = quiet ? [] : surfaceLines(state, style)
  const lines = [...surface, `${standingText(state, style)}  ${style('cyan', spelled(path))}`]
  lines.push(`${style('dim', 'Next')}  ${spelled(state.next ?? 'not stated')}`)
  if (output.steps.length > 0) lines.push('', style('bold', 'Next steps'), ...steps(output, style))
  if (inTheWay.length > 0)
    lines.push('', style('bold', 'Blocked by'), ...indent(objectionLines(inTheWay, style), 2))
  lines.push('', style('bold', 'Code'), ...indent(code(output, style, false).split('\n'), 2))
  return lines.join('\n')
}

function steps({ steps }: StateNextOutput, style: Style): string[] {
  const width = Math.max(...steps.map(({ pointer }) => widthOf(pointer)))
  return steps.map(({ pointer, open, diagnostics }) => {
    const sign = open ? style('green', '✓') : style('red', '✗')
    const [first] = diagnostics
    const why = open || !first ? '' : style('dim', short(first.message, textWidth() - width - 6))
    return `  ${sign} ${why ? pad(pointer, width) : pointer}${why ? `  ${why}` : ''}`
  })
}

function short(message: string, width: number): string {
  return widthOf(message) <= width ? message : `${[...message].slice(0, width - 1).join('')}…`
}

function code({ mayWriteCode }: StateNextOutput, style: Style, quiet: boolean): string {
  const { answer, rule, reason, hint } = mayWriteCode
  const word = answer ? style('green', 'yes') : style('red', 'no')
  if (quiet) return `${word}  ${rule}`
  const [first = '', ...rest] = wrap(reason, textWidth() - 7)
  return [
    `${pad('', 0)}${word}${answer ? '  ' : '   '}${first}`,
    ...indent(rest, 5),
    ...indent(hint ? wrap(`fix: ${hint}`, textWidth() - 7) : [], 5),
    `     ${style('dim', rule)}`,
  ].join('\n')
}
