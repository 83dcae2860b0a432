import { summarise } from '../../operations/check/report.ts'
import type { App } from '../../operations/operation.ts'
import { type StateCheckForPeople, stateCheckForPeople } from '../../operations/state-check.ts'
import type { Style } from '../parse.ts'
import { text as checkText } from './check.ts'

/** Adds the source lines that the frames show. */
export const forPeople = stateCheckForPeople

const WRITTEN = {
  'by-waybill': 'as written by the last recorded transition',
  'by-hand': 'edited by hand since the last recorded transition',
  unknown: 'no recorded transitions',
} as const

/** The output of waybill check, then the form the state needs and how it was written. */
export function text(output: StateCheckForPeople, style: Style, app: App, quiet: boolean): string {
  const { report, form, demanded, why, compared, written } = output
  const check = { summary: summarise([report]), documents: [report], ignored: 0 }
  const lines = [checkText({ ...check, structureOnly: false }, style, app, quiet)]
  if (quiet) return lines.join('\n')
  const rows = [
    ...(form && demanded ? [['form', `${form}; ${demanded} is required: ${why}`] as const] : []),
    ['file', WRITTEN[written]] as const,
    ...(compared ? [] : [['not compared', 'pass the earlier state with --previous'] as const]),
  ]
  const width = Math.max(...rows.map(([label]) => label.length)) + 2
  for (const [label, words] of rows) lines.push(`${style('dim', label.padEnd(width))}${words}`)
  return lines.join('\n')
}
