import { counted, spelled } from '../../contract/index.ts'
import type { CheckOutput } from '../../operations/check/output.ts'
import { fileInGit } from '../../operations/check/report.ts'
import type { App } from '../../operations/operation.ts'

const LEVELS = { error: 'error', warning: 'warning', info: 'notice' } as const

/** Workflow commands that annotate the lines of a pull request on GitHub. */
export function github(output: CheckOutput, app: App): string {
  const lines = output.documents.flatMap(document =>
    document.diagnostics.map(d => {
      const properties = {
        file: fileInGit(document.path, app),
        line: d.line,
        endLine: d.endLine,
        ...(d.line === d.endLine ? { col: d.column, endColumn: d.endColumn } : {}),
        title: d.code,
      }
      const said = Object.entries(properties).map(
        ([key, value]) => `${key}=${escapeProperty(String(value))}`,
      )
      const text = d.hint ? `${d.message}\n${d.hint}` : d.message
      return `::${LEVELS[d.severity]} ${said.join(',')}::${escapeData(text)}`
    }),
  )
  const { documents, rejected } = output.summary
  return [...lines, `${counted(documents, 'document')} checked, ${rejected} rejected`].join('\n')
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function escapeProperty(text: string): string {
  return spelled(escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C'))
}
