import { counted, spelled } from '../../contract/index.ts'
import type { App } from '../../operations/operation.ts'
import type { InboxOutput, ReceiveOutput, WaitingHandoff } from '../../operations/receive/output.ts'
import type { Style } from '../parse.ts'
import { between, findings, needs, type Passed, quarantine, recorded } from './gateway.ts'
import { hang, pad, textWidth } from './layout.ts'

/** The findings, the answer, the agents and the receipt; with --quiet only why it was not accepted. */
export function text(
  output: ReceiveOutput | InboxOutput,
  style: Style,
  _: App,
  quiet: boolean,
): string {
  if (output.answer === 'listed') return inboxText(output, style)
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

/** What waits, with what is asked in the words of the sender. */
function inboxText({ as, waiting }: InboxOutput, style: Style): string {
  const whom = as === null ? '' : ` for ${spelled(as)}`
  if (waiting.length === 0) return `nothing waits${whom}`
  const head = `${counted(waiting.length, 'handoff')} ${waiting.length === 1 ? 'waits' : 'wait'}${whom}`
  const next = 'not verified yet: waybill receive <path> decides before an agent acts on it'
  return [
    head,
    ...waiting.flatMap(one => ['', ...waitingText(one, style)]),
    '',
    style('dim', next),
  ].join('\n')
}

function waitingText({ path, from, to, age, answered, asked }: WaitingHandoff, style: Style) {
  const width = textWidth()
  const state = answered === null ? '' : `, answered ${answered}`
  const rows = [
    ['asks', asked.description],
    ['wants', asked.expected],
    ...asked.constraints.map(one => ['bound by', one] as const),
  ] as const
  return [
    `${style('cyan', spelled(path))}  ${from ?? 'unknown'} → ${to}${style('dim', `  ${age ?? 'of unknown age'}${state}`)}`,
    ...rows.flatMap(([name, said]) =>
      said ? hang(`  ${pad(name, 8)}  `, 12, spelled(said), width) : [],
    ),
  ]
}
