import type { App } from '../../operations/operation.ts'
import type { StateShowOutput } from '../../operations/state-show/output.ts'
import type { Style } from '../parse.ts'
import { objectionLines } from './standing.ts'

/** The state as valid YAML; what is missing follows as YAML comments. */
export function text(output: StateShowOutput, style: Style, _app: App, quiet: boolean): string {
  const { shown, form, demanded, why, yaml, missing, diagnostics } = output
  if (!shown || yaml === null) {
    const reason =
      form === 'MIN' && demanded === 'FULL' && diagnostics.length === 0
        ? `the short form is not enough: ${why}`
        : why
    return [
      ...objectionLines(diagnostics, style),
      `${style('red', '✗')} ${reason}`,
      ...(form === 'MIN' ? ['  fix: waybill state show --full'] : []),
    ].join('\n')
  }
  const comment = (line: string) => style('dim', `# ${line}`)
  const reason = form === demanded ? why : `requested; the state requires ${demanded}`
  const lines = quiet ? [] : [comment(`${form}: ${reason}`)]
  lines.push(yaml.trimEnd())
  if (missing.length > 0) {
    lines.push(comment('Missing:'))
    for (const { part, level, why: because } of missing)
      lines.push(comment(`  ${part} (${level}: ${because})`))
  }
  for (const line of objectionLines(diagnostics, (_, plain) => plain)) lines.push(comment(line))
  return lines.join('\n')
}
