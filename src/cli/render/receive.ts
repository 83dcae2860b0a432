import type { App } from '../../operations/operation.ts'
import type { ReceiveOutput } from '../../operations/receive/output.ts'
import type { Style } from '../parse.ts'
import { between, findings, needs, type Passed, quarantine, recorded } from './gateway.ts'

/** The findings, the answer, the agents and the receipt; with --quiet only why it was not accepted. */
export function text(output: ReceiveOutput, style: Style, _: App, quiet: boolean): string {
  const { answer, receiptFile, receiptNote } = output
  const found = findings(output, style, quiet)
  if (quiet && answer === 'accepted') return found.join('\n')
  const lines = [...found, ...verdict(output, style), ...between(output, style)]
  if (answer === 'needs-input') lines.push('', ...needs(output, style))
  lines.push(...quarantine(output, style))
  if (quiet) return lines.join('\n')
  const more =
    receiptFile === null ? [`no receipt written: ${receiptNote}`] : [`receipt in ${receiptFile}`]
  return [...lines, '', ...recorded(output, style, more)].join('\n')
}

function verdict({ answer, to }: Passed & Pick<ReceiveOutput, 'answer'>, style: Style): string[] {
  switch (answer) {
    case 'accepted':
      return [`${style('green', '✓ accepted')}: ${to ?? 'the target agent'} may run`]
    case 'needs-input':
      return [`${style('yellow', '… needs input')}: do not run the target agent yet`]
    case 'rejected':
      return [`${style('red', '✗ rejected')}: do not run the target agent`]
  }
}
