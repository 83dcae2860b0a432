import { summarise } from '../../operations/check/report.ts'
import type { App } from '../../operations/operation.ts'
import { type StateCheckForPeople, stateCheckForPeople } from '../../operations/state-check.ts'
import type { Style } from '../parse.ts'
import { text as checkText } from './check.ts'

/** Results for people carry the source lines that the frames show. */
export const forPeople = stateCheckForPeople

const WRITTEN = {
  'by-waybill': 'as a recorded move wrote it',
  'by-hand': 'changed by hand since the last recorded move',
  unknown: 'no move of it is recorded',
} as const

/** What waybill check shows of it, then the form that it needs and how it came about. */
export function text(output: StateCheckForPeople, style: Style, app: App, quiet: boolean): string {
  const { report, form, demanded, why, compared, written } = output
  const check = { summary: summarise([report]), documents: [report], ignored: 0 }
  const lines = [checkText({ ...check, structureOnly: false }, style, app, quiet)]
  if (quiet) return lines.join('\n')
  const said = [
    ...(form && demanded ? [['form', `${form}; ${demanded} is called for: ${why}`] as const] : []),
    ['file', WRITTEN[written]] as const,
    ...(compared ? [] : [['not compared', 'name the state before it with --previous'] as const]),
  ]
  const width = Math.max(...said.map(([label]) => label.length)) + 2
  for (const [label, words] of said) lines.push(`${style('dim', label.padEnd(width))}${words}`)
  return lines.join('\n')
}
