import { counted, spelled } from '../../contract/index.ts'
import type { App } from '../../operations/operation.ts'
import { checkPoliciesForPeople, type PolicyCheckForPeople } from '../../operations/policy-check.ts'
import type { Style } from '../parse.ts'
import { frame } from './frame.ts'
import { indent, pad, textWidth, wrap } from './layout.ts'

/** Adds the source lines that the frames show. */
export const forPeople = checkPoliciesForPeople

/** A frame for each fault, the policies with their actions, then a summary line. */
export function text(
  output: PolicyCheckForPeople,
  style: Style,
  _app: App,
  quiet: boolean,
): string {
  const lines = output.diagnostics.flatMap(({ file, ...fault }) => [
    frame(spelled(file), { ...fault, path: '' }, style),
    '',
  ])
  if (!quiet) lines.push(...policyLines(output, style), '')
  return [...lines, verdict(output, style)].join('\n')
}

function policyLines({ policies }: PolicyCheckForPeople, style: Style): string[] {
  const width = Math.min(40, Math.max(...policies.map(({ id }) => spelled(id).length)))
  return policies.flatMap(({ id, effect, actions, reason, needs }) => {
    const color = effect === 'permit' ? 'green' : 'yellow'
    const about = actions.length === 4 ? 'everything' : actions.join(', ') || 'nothing'
    const words = [reason, needs === null ? null : `needs ${needs}`].filter(word => word !== null)
    const inner = textWidth() - 4
    return [
      `${style(color, effect)}  ${pad(spelled(id), width)}  ${style('dim', about)}`,
      ...indent(
        words.flatMap(word => wrap(word, inner)),
        4,
      ).map(line => style('dim', line)),
    ]
  })
}

function verdict({ accepted, summary, folder }: PolicyCheckForPeople, style: Style): string {
  const { files, policies, builtIn, errors, warnings } = summary
  const where =
    folder === null
      ? 'waybill.yaml configures no policies'
      : `${counted(policies, 'policy', 'policies')} in ${counted(files, 'file')} of ${spelled(folder)}`
  const counts = [`${builtIn} built in`, counted(errors, 'error'), counted(warnings, 'warning')]
  const sign = accepted ? style('green', '✓') : style('red', '✗')
  return `${sign} ${where} ${style('dim', `(${counts.join(', ')})`)}`
}
