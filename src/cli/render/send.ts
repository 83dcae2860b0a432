import { counted } from '../../contract/index.ts'
import type { App } from '../../operations/operation.ts'
import type { SendOutput } from '../../operations/send/output.ts'
import type { Style } from '../parse.ts'
import { between, findings, needs, quarantine, recorded } from './gateway.ts'
import { textWidth, wrap } from './layout.ts'

/** The findings, the answer, the agents, the files and the log entry; with --quiet only why it was not sent. */
export function text(output: SendOutput, style: Style, _: App, quiet: boolean): string {
  if (quiet && output.answer === 'sent') return findings(output, style, quiet).join('\n')
  const lines = [
    ...findings(output, style, quiet),
    verdict(output, style),
    ...between(output, style),
    ...rules(output),
  ]
  if (output.answer === 'needs-input') lines.push('', ...needs(output, style), ...note(output))
  lines.push(...quarantine(output, style))
  if (quiet) return lines.join('\n')
  return [...lines, ...files(output), '', ...recorded(output, style, [])].join('\n')
}

function note({ note }: SendOutput): string[] {
  return note === undefined ? [] : ['', ...wrap(note, textWidth())]
}

function rules({ rulesAdded = 0 }: SendOutput): string[] {
  return rulesAdded === 0 ? [] : [`  with ${counted(rulesAdded, 'standing rule')} added`]
}

function verdict({ answer }: SendOutput, style: Style): string {
  switch (answer) {
    case 'sent':
      return style('green', '✓ sent')
    case 'needs-input':
      return `${style('yellow', '… needs input')}: not sent`
    case 'rejected':
      return `${style('red', '✗ rejected')}: not sent`
  }
}

function files({ document, envelope }: SendOutput): string[] {
  if (document === null || envelope === null) return []
  return [
    '',
    `document  ${document}`,
    `envelope  ${envelope}`,
    '',
    'Deliver both to the receiver within five minutes: waybill receive <document>',
  ]
}
