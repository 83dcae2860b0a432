import { counted, spelled } from '../../contract/index.ts'
import type { BriefOutput } from '../../operations/brief/output.ts'
import type { Style } from '../parse.ts'

/** The brief, or the errors that prevent it. */
export function text({ brief, refused }: BriefOutput, style: Style): string {
  if (brief !== null) return brief
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
