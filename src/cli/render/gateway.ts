import { counted, listed, spelled } from '../../contract/index.ts'
import type { ReceiveOutput } from '../../operations/receive/output.ts'
import type { Style } from '../parse.ts'
import { frame } from './frame.ts'
import { hang, textWidth, wrap } from './layout.ts'

/** The fields that `send` and `receive` both output. */
export type Passed = Omit<ReceiveOutput, 'answer' | 'receiptFile'>

/** A frame for each error and warning. */
export function findings({ path, diagnostics }: Passed, style: Style, quiet: boolean): string[] {
  const name = path === '-' ? 'standard input' : spelled(path)
  return diagnostics
    .filter(({ severity }) => severity === 'error' || (severity === 'warning' && !quiet))
    .flatMap(diagnostic => [frame(name, diagnostic, style), ''])
}

/** Sender, receiver and handoff id, as far as known. */
export function between({ from, to, handoff }: Passed, style: Style): string[] {
  if (from === null && to === null && handoff === null) return []
  const unknown = style('dim', 'unknown')
  return [`  ${from ?? unknown} → ${to ?? unknown}${handoff ? style('dim', `  ${handoff}`) : ''}`]
}

/** What the handoff needs before it can pass. */
export function needs({ requirements }: Passed, style: Style): string[] {
  const width = textWidth()
  return [
    style('bold', `${counted(requirements.length, 'thing')} missing:`),
    ...requirements.flatMap(one => hang('  - ', 4, spelled(one), width)),
  ]
}

/** The agents now in quarantine, and how a person releases them. */
export function quarantine({ quarantined }: Passed, style: Style): string[] {
  if (quarantined.length === 0) return []
  const who = listed(quarantined)
  const them = quarantined.length === 1 ? 'it' : 'them'
  const words = `! ${who} ${quarantined.length === 1 ? 'is' : 'are'} in quarantine: handoffs with ${them} are refused until a person compares the prompt with the approved one`
  return [
    '',
    ...wrap(words, textWidth()).map(line => style('red', line)),
    ...quarantined.map(
      agent => `  waybill lock reconcile ${agent} --by <name> --why <reason> [--key <file>]`,
    ),
  ]
}

/** When the handoff was decided on, and the log entry. */
export function recorded(
  { origin, receipt, at }: Passed,
  style: Style,
  more: readonly string[],
): string[] {
  const where = `decided at ${at}, recorded as entry ${receipt.index} (${receipt.digest.slice(0, 12)}) of ${origin}`
  return [where, ...more].flatMap(line =>
    wrap(spelled(line), textWidth()).map(one => style('dim', one)),
  )
}
