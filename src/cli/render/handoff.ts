import { counted } from '../../contract/index.ts'
import { type HandoffForPeople, handOver } from '../../operations/handoff.ts'
import type { App } from '../../operations/operation.ts'
import type { Style } from '../parse.ts'
import { text as textOfNew } from './new.ts'

/** Adds the source lines that the frames show. */
export const forPeople = handOver

/** The handoff as `new` shows it, and the files that Git suggested as evidence. */
export function text(output: HandoffForPeople, style: Style, app: App, quiet: boolean): string {
  const shown = textOfNew(output, style, app, quiet)
  const { suggested, created } = output
  if (quiet || !created) return shown
  const files = suggested.length
  const lines = [
    ...(files > 0
      ? [`evidence: ${counted(files, 'changed file')}, from Git; correct them where needed`]
      : []),
    'next session: waybill resume',
  ]
  return [shown, ...lines.map(line => style('dim', line))].join('\n')
}
