import { spelled } from '../../contract/index.ts'
import type { LogEraseOutput } from '../../operations/log-erase/output.ts'
import type { App } from '../../operations/operation.ts'
import type { Style } from '../parse.ts'
import { hang, textWidth } from './layout.ts'

/** What was erased, by whom, and what remains; with --quiet only the entries that hold the same handoff. */
export function text(output: LogEraseOutput, style: Style, _: App, quiet: boolean): string {
  if (quiet) return stillHolding(output, style).join('\n')
  const { outcome, index, digest, kind, by, standing, at, reason, receipt } = output
  const was = outcome === 'was-erased' ? 'was already erased' : 'is erased'
  const shown = standing === 'proved' ? ', proved by their key' : standing ? ', by name only' : ''
  const lines = [
    `${style('green', '✓')} entry ${index} (${kind ?? 'entry'}) ${was}; its digest stays: ${digest.slice(0, 12)}`,
    `  by ${spelled(by)}${shown}, at ${at}: ${spelled(reason)}`,
  ]
  if (receipt) lines.push(style('dim', `  the erasure is entry ${receipt.index}`))
  for (const path of output.removed) lines.push(`  removed ${spelled(path)}`)
  return [...lines, '', ...left(output, style)].join('\n')
}

function stillHolding({ alsoHolding }: LogEraseOutput, style: Style): string[] {
  return alsoHolding.map(
    ({ index, kind }) =>
      `${style('yellow', '!')} entry ${index} (${kind}) holds the same handoff: waybill log erase ${index}`,
  )
}

function left(output: LogEraseOutput, style: Style): string[] {
  const { beside: others, notErased } = output
  const width = textWidth()
  return [
    ...stillHolding(output, style),
    ...others.map(path => `${style('yellow', '!')} ${spelled(path)} was not changed`),
    style('bold', 'Not erased:'),
    ...notErased.flatMap(one => hang('  - ', 4, spelled(one), width)),
  ]
}
