import type { CheckOutput, DocumentReport } from '../../operations/check/output.ts'
import { fileInGit } from '../../operations/check/report.ts'
import explain from '../../operations/explain.ts'
import type { App } from '../../operations/operation.ts'

const LEVELS = { error: 'error', warning: 'warning', info: 'note' } as const

/** A SARIF 2.1.0 log, as code scanning services and editors read it. */
export async function sarif(output: CheckOutput, app: App): Promise<string> {
  const codes = [
    ...new Set(output.documents.flatMap(document => document.diagnostics.map(d => d.code))),
  ].sort()
  const index = new Map(codes.map((code, i) => [code, i]))
  return JSON.stringify(
    {
      $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
      version: '2.1.0',
      runs: [
        {
          tool: {
            driver: {
              name: 'Waybill',
              semanticVersion: app.version,
              rules: await Promise.all(codes.map(id => ruleOf(id, app))),
            },
          },
          columnKind: 'utf16CodeUnits',
          originalUriBaseIds: { ROOT: { description: { text: 'The root of the repository.' } } },
          results: output.documents.flatMap(document => results(document, index, app)),
        },
      ],
    },
    null,
    2,
  )
}

/** What code scanning shows of a rule beside its findings. */
async function ruleOf(id: string, app: App): Promise<object> {
  const { summary, why, remedy } = await meaningOf(id, app)
  return {
    id,
    shortDescription: { text: summary },
    fullDescription: { text: why },
    help: { text: [remedy, `waybill explain ${id}`].filter(Boolean).join('\n') },
  }
}

async function meaningOf(code: string, app: App) {
  const found = await explain.run({ code }, app)
  // A code with nothing behind its slash would be a list.
  return 'rule' in found ? found.rule : { summary: code, why: code, remedy: undefined }
}

function results(document: DocumentReport, index: ReadonlyMap<string, number>, app: App): object[] {
  const uri = fileInGit(document.path, app).split('/').map(encodeURIComponent).join('/')
  return document.diagnostics.map(d => ({
    ruleId: d.code,
    ruleIndex: index.get(d.code),
    level: LEVELS[d.severity],
    message: { text: d.hint ? `${d.message}\n${d.hint}` : d.message },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri, uriBaseId: 'ROOT' },
          region: {
            startLine: d.line,
            startColumn: d.column,
            endLine: d.endLine,
            endColumn: Math.max(d.endColumn, d.line === d.endLine ? d.column : 1),
          },
        },
        ...(d.path ? { logicalLocations: [{ fullyQualifiedName: d.path }] } : {}),
      },
    ],
  }))
}
