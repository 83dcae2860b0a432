import { counted, spelled } from '../../contract/index.ts'
import type { BriefOutput } from '../../operations/brief/output.ts'
import type { Style } from '../parse.ts'

/** The brief as it is to be read; or why there is none. */
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
  const verdict = `✗ no brief: ${counted(refused.length, 'document')} refused`
  return [
    ...wrong,
    '',
    `${style('red', verdict)}; nobody is briefed from a document with errors`,
  ].join('\n')
}
