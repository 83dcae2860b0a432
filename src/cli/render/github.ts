import { counted, spelled } from '../../contract/index.ts'
import { type CheckForPeople, fileInGit } from '../../operations/check/report.ts'
import type { App } from '../../operations/operation.ts'

const LEVELS = { error: 'error', warning: 'warning', info: 'notice' } as const

/** GitHub workflow commands that annotate lines of a pull request and name skipped files. */
export function github(output: CheckForPeople, app: App): string {
  const lines = output.documents.flatMap(document =>
    document.diagnostics.map(d => {
      const properties = {
        file: fileInGit(document.path, app),
        line: d.line,
        endLine: d.endLine,
        ...(d.line === d.endLine ? { col: d.column, endColumn: d.endColumn } : {}),
        title: d.code,
      }
      return command(LEVELS[d.severity], properties, [d.message, ...(d.hint ? [d.hint] : [])])
    }),
  )
  const { passedOver = [] } = output
  const passed = passedOver.map(file =>
    command('notice', { file: fileInGit(file.path, app), title: 'skipped' }, [
      file.why,
      `next: ${file.next}`,
    ]),
  )
  const { documents, rejected } = output.summary
  return [
    ...lines,
    ...passed,
    `${counted(documents, 'document')} checked, ${rejected} rejected`,
  ].join('\n')
}

function command(name: string, properties: object, lines: readonly string[]): string {
  const pairs = Object.entries(properties).map(
    ([key, value]) => `${key}=${escapeProperty(String(value))}`,
  )
  return `::${name} ${pairs.join(',')}::${escapeData(lines.join('\n'))}`
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function escapeProperty(text: string): string {
  return spelled(escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C'))
}
