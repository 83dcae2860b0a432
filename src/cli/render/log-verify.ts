import { counted, spelled } from '../../contract/index.ts'
import type { LogFault, LogVerifyOutput } from '../../operations/log-verify/output.ts'
import type { App } from '../../operations/operation.ts'
import type { Style } from '../parse.ts'
import { hang, textWidth } from './layout.ts'

/** The first bad entry in full, the others in short, erasures and the result. */
export function text(output: LogVerifyOutput, style: Style, _: App, quiet: boolean): string {
  const { first, faults } = output
  const others = faults.filter(fault => fault !== first && (!quiet || fault.severity === 'error'))
  const lines: string[] = []
  if (first) lines.push(...inFull(first, style), '')
  const fixed = new Set<string>()
  for (const fault of others) {
    lines.push(...inShort(fault, style))
    // The first error's fix covers the other errors; each kind of warning has its own.
    if (fault.severity === 'warning' && !fixed.has(fault.code)) lines.push(...fixOf(fault))
    fixed.add(fault.code)
  }
  const hidden = output.errors + output.warnings - faults.length
  if (hidden > 0) lines.push(style('dim', `and ${hidden} more`))
  if (others.length > 0) lines.push('')
  if (!quiet) lines.push(...erasedLines(output, style))
  lines.push(verdict(output, style))
  if (!quiet) lines.push(...facts(output).map(line => style('dim', spelled(line))))
  return lines.join('\n')
}

function inFull(fault: LogFault, style: Style): string[] {
  const width = textWidth()
  const words = fault.index === null ? '' : 'first bad entry: '
  return [
    `${style('red', 'error')}${style('dim', `[${fault.code}]`)} ${words}${style('bold', placeOf(fault))}`,
    ...hang('  ', 2, spelled(fault.message), width),
    ...hang('  why: ', 7, fault.why, width),
    ...fixOf(fault),
  ]
}

const fixOf = ({ hint }: LogFault) => hang('  fix: ', 7, hint, textWidth())

function inShort(fault: LogFault, style: Style): string[] {
  const color = fault.severity === 'error' ? 'red' : 'yellow'
  const head = `${style(color, fault.severity)}${style('dim', `[${fault.code}]`)} ${placeOf(fault)}`
  return [head, ...hang('  ', 2, spelled(fault.message), textWidth())]
}

function placeOf({ index, digest, file }: LogFault): string {
  const entry = index === null ? [] : [`entry ${index}`]
  const name = digest === null ? [] : [digest.slice(0, 12)]
  return spelled([...entry, ...name, ...(file === null ? [] : [file])].join(' '))
}

function erasedLines({ erased }: LogVerifyOutput, style: Style): string[] {
  const lines = erased.flatMap(({ index, digest, ids, reason, by, at, recorded }) => {
    const named = Object.entries(ids).map(([what, id]) => `${what} ${String(id)}`)
    const where = recorded === null ? '' : `, recorded as entry ${recorded}`
    const words = `entry ${index} ${digest.slice(0, 12)} erased by ${by} at ${at}${where}: ${reason}`
    return hang('- ', 2, spelled([words, ...named].join('; ')), textWidth())
  })
  return lines.length === 0 ? [] : [...lines.map(line => style('yellow', line)), '']
}

function verdict(output: LogVerifyOutput, style: Style): string {
  const { verified, size, origin, errors, quick, warnings } = output
  const entries = counted(size ?? 0, 'entry', 'entries')
  if (!verified) {
    const where = spelled(origin ?? output.ledger ?? 'a trusted gateway')
    const foreign = foreignReceipts(output)
    if (foreign > 0) {
      const what = foreign === 1 ? 'the receipt is' : `${foreign} receipts are`
      return `${style('red', `✗ ${what} not from ${where}`)} ${style('dim', '(nothing else is wrong)')}`
    }
    return `${style('red', `✗ ${where} failed verification`)} ${style('dim', `(${counted(errors, 'error')})`)}`
  }
  if (output.ledger === null)
    return style('green', `✓ ${counted(output.receipts.length, 'promise')} verified, without a log`)
  const what = quick ? `the tree of ${entries}` : entries
  const rest = warnings > 0 ? style('dim', ` (${counted(warnings, 'warning')})`) : ''
  return `${style('green', `✓ ${what} of ${spelled(origin ?? '')} verified`)}${rest}`
}

/** The count of receipts from other logs, if nothing else is wrong. */
function foreignReceipts({ faults, errors }: LogVerifyOutput): number {
  const foreign = faults.filter(({ code }) => FOREIGN.includes(code)).length
  return foreign === errors ? foreign : 0
}

const FOREIGN: readonly string[] = ['ledger/receipt-malformed', 'ledger/receipt-untrusted']

function facts(output: LogVerifyOutput): string[] {
  const { root, covered, signers, keys, counts, guards, signed, witnessed, receipts, quick } =
    output
  const lines: string[] = []
  if (!quick && root !== null) lines.push(`  ${figures(counts)}`)
  if (covered) lines.push(`  from ${covered.from} to ${covered.to}`)
  if (root !== null) lines.push(`  root ${root}, signed by ${signers.join(', ')}`)
  for (const { keyid, holder, entries } of keys) {
    const who = holder ?? 'unknown key: pass it with --key'
    lines.push(
      `  ${counted(entries, 'entry', 'entries')} signed with ${keyid.slice(0, 12)} (${who})`,
    )
  }
  if (signed && signed.people > 0)
    lines.push(`  ${counted(signed.people, 'statement')} signed by people themselves`)
  if (signed && signed.senders !== null)
    lines.push(`  ${counted(signed.senders, 'accepted handoff')} signed by their senders`)
  for (const { file, size } of guards)
    lines.push(`  agrees with ${file}, signed for ${counted(size, 'entry', 'entries')}`)
  for (const { name, time } of witnessed?.by ?? []) lines.push(`  cosigned by ${name} at ${time}`)
  if (witnessed?.met) lines.push(`  the quorum '${witnessed.quorum}' is met`)
  return [...lines, ...receipts.map(receiptLine)]
}

function receiptLine({ state, index, origin, kind }: LogVerifyOutput['receipts'][number]): string {
  const what = kind === null ? '' : ` (${kind})`
  if (state !== 'promised') return `  the receipt is ${state}: entry ${index}${what}`
  return `  promised by ${origin}: entry ${index}${what}`
}

function figures({ entries: _, ...counts }: LogVerifyOutput['counts']): string {
  const words: Readonly<Record<keyof typeof counts, readonly [string, string?]>> = {
    sent: ['sent', 'sent'],
    accepted: ['accepted', 'accepted'],
    needsInput: ['needing input', 'needing input'],
    rejected: ['rejected', 'rejected'],
    securityEvents: ['security event'],
    reconciliations: ['reconciliation'],
    approvals: ['approval'],
    taskAnswers: ['human answer'],
    writeBackDecisions: ['write-back decision'],
    writeBackOutcomes: ['write-back outcome'],
    records: ['record'],
    keyChanges: ['key change'],
    clockJumps: ['clock jump'],
    erasures: ['erasure record'],
    erased: ['erased', 'erased'],
    pending: ['promised and pending', 'promised and pending'],
  }
  const names = Object.keys(words) as (keyof typeof words)[]
  const shown = names
    .filter(name => counts[name] > 0)
    .map(name => counted(counts[name], ...words[name]))
  return shown.length === 0 ? 'no entries' : shown.join(', ')
}
