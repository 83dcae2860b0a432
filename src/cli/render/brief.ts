import { counted, spelled } from '../../contract/index.ts'
import type { BriefOutput } from '../../operations/brief/output.ts'
import type { Style } from '../parse.ts'

/** The brief, or the errors that prevent it. */
export function text({ brief, refused, needs, left, budget }: BriefOutput, style: Style): string {
  if (brief !== null) return brief
  if (needs !== null) {
    const rules = left.filter(({ kind }) => kind === 'rule')
    return [
      ...rules.map(({ id, path, line }) => `  ${id}  ${style('dim', `${spelled(path)}:${line}`)}`),
      '',
      style(
        'red',
        `✗ no brief: ${counted(rules.length, 'rule')} in force do not fit into ${budget} tokens`,
      ),
      style('cyan', `  fix: waybill brief --budget ${needs}, or end rules that no longer hold`),
    ].join('\n')
  }
  const wrong = refused.flatMap(({ path, diagnostics }) =>
    diagnostics
      .filter(({ severity }) => severity === 'error')
      .flatMap(({ code, line, column, message, hint }) => [
        `${style('red', 'error')}${style('dim', `[${code}]`)} ${message}`,
        style('dim', `  ${spelled(path)}:${line}:${column}`),
        ...(hint ? [style('cyan', `  ${hint}`)] : []),
      ]),
  )
  const verdict = `✗ no brief: ${counted(refused.length, 'document')} with errors`
  return [
    ...wrong,
    '',
    `${style('red', verdict)}; fix the errors, then run the command again`,
  ].join('\n')
}
