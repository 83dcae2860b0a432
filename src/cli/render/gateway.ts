import { counted, listed, spelled } from '../../contract/index.ts'
import type { ReceiveOutput } from '../../operations/receive/output.ts'
import type { Style } from '../parse.ts'
import { frame } from './frame.ts'
import { hang, textWidth, wrap } from './layout.ts'

/** What is said of every handoff that goes through a gateway. */
export type Passed = Omit<ReceiveOutput, 'answer' | 'receiptFile'>

/** What is wrong with a handoff, each in its frame. */
export function findings({ path, diagnostics }: Passed, style: Style, quiet: boolean): string[] {
  const name = path === '-' ? 'standard input' : spelled(path)
  return diagnostics
    .filter(({ severity }) => severity === 'error' || (severity === 'warning' && !quiet))
    .flatMap(diagnostic => [frame(name, diagnostic, style), ''])
}

/** Who hands over to whom, and by which id; nothing where none of that is known. */
export function between({ from, to, handoff }: Passed, style: Style): string[] {
  if (from === null && to === null && handoff === null) return []
  const unknown = style('dim', 'unknown')
  return [`  ${from ?? unknown} → ${to ?? unknown}${handoff ? style('dim', `  ${handoff}`) : ''}`]
}

/** What would have to be there. */
export function needs({ requirements }: Passed, style: Style): string[] {
  const width = textWidth()
  return [
    style('bold', `${counted(requirements.length, 'thing')} missing:`),
    ...requirements.flatMap(one => hang('  - ', 4, spelled(one), width)),
  ]
}

/** Which agents are kept out from now on, and what a person can do about it. */
export function quarantine({ quarantined }: Passed, style: Style): string[] {
  if (quarantined.length === 0) return []
  const who = listed(quarantined)
  const them = quarantined.length === 1 ? 'it' : 'them'
  const words = `! ${who} ${quarantined.length === 1 ? 'is' : 'are'} in quarantine: every handoff with ${them} is refused until a person has compared the prompt with the approved one`
  return [
    '',
    ...wrap(words, textWidth()).map(line => style('red', line)),
    ...quarantined.map(
      agent => `  waybill lock reconcile ${agent} --by <who> --why <reason> [--key <file>]`,
    ),
  ]
}

/** When it was judged, and where that is recorded. */
export function recorded(
  { origin, receipt, at }: Passed,
  style: Style,
  more: readonly string[],
): string[] {
  const where = `judged at ${at}, recorded as entry ${receipt.index} (${receipt.digest.slice(0, 12)}) of ${origin}`
  return [where, ...more].flatMap(line =>
    wrap(spelled(line), textWidth()).map(one => style('dim', one)),
  )
}
