import type { CheckOutput, DocumentReport } from '../../operations/check/output.ts'
import { type CheckForPeople, fileInGit } from '../../operations/check/report.ts'
import explain from '../../operations/explain.ts'
import type { App } from '../../operations/operation.ts'

const LEVELS = { error: 'error', warning: 'warning', info: 'note' } as const

/** A SARIF 2.1.0 log for code scanning services and editors. */
export async function sarif(output: CheckForPeople, app: App): Promise<string> {
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
          ...invocations(output.passedOver, app),
          results: output.documents.flatMap(document => results(document, index, app)),
        },
      ],
    },
    null,
    2,
  )
}

/** Skipped files are notifications, not results. */
function invocations(passedOver: CheckOutput['passedOver'] = [], app: App): object {
  if (passedOver.length === 0) return {}
  const toolExecutionNotifications = passedOver.map(file => ({
    level: 'note',
    message: { text: `skipped: ${file.why}\nnext: ${file.next}` },
    locations: [{ physicalLocation: { artifactLocation: placeOf(file.path, app) } }],
  }))
  return { invocations: [{ executionSuccessful: true, toolExecutionNotifications }] }
}

function placeOf(path: string, app: App): object {
  const uri = fileInGit(path, app).split('/').map(encodeURIComponent).join('/')
  return { uri, uriBaseId: 'ROOT' }
}

/** The description of a rule that code scanning shows with its findings. */
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
  // For a code that ends in a slash, explain returns a list.
  return 'rule' in found ? found.rule : { summary: code, why: code, remedy: undefined }
}

function results(document: DocumentReport, index: ReadonlyMap<string, number>, app: App): object[] {
  const artifactLocation = placeOf(document.path, app)
  return document.diagnostics.map(d => ({
    ruleId: d.code,
    ruleIndex: index.get(d.code),
    level: LEVELS[d.severity],
    message: { text: d.hint ? `${d.message}\n${d.hint}` : d.message },
    locations: [
      {
        physicalLocation: {
          artifactLocation,
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
