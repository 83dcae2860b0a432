import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Drift, findContract } from '../contracts/index.ts'
import { WaybillError } from '../error.ts'
import { loadConfig } from '../workspace/index.ts'
import { openFacts } from './check/facts.ts'
import { checkSource } from './check/file.ts'
import { measureDrift } from './check/lineage-facts.ts'
import type { CheckedDocument, DiagnosticForPeople, ReportForPeople } from './check/report.ts'
import { readSource, type Source } from './check/source.ts'
import { findSources } from './check/sources.ts'
import check, { checkForPeople } from './check.ts'
import { type App, defineOperation } from './operation.ts'
import { cleanse, secretsIn } from './show/cleanse.ts'
import { describeFor } from './show/families.ts'
import type { Line, ListedDocument, ShowOutput, View } from './show/output.ts'
import { lines, when } from './show/said.ts'

/** More documents in a file are listed instead of shown. */
const MOST_SHOWN = 3

/** A document with the source line and the reason beside each diagnostic. */
export interface ViewForPeople extends View {
  readonly diagnostics: readonly DiagnosticForPeople[]
}

/** What `show` answers when people read it. */
export interface ShowForPeople extends ShowOutput {
  readonly documents: readonly ViewForPeople[]
}

const input = {
  type: 'object',
  required: ['path'],
  properties: {
    path: {
      type: 'string',
      positional: true,
      description: 'The document; path#L12 for a block in Markdown; - reads standard input.',
    },
  },
} as const

/** Shows a document as a person wants to read it, and what is wrong with it. */
export default defineOperation({
  name: 'show',
  summary: 'Show one document as a person wants to read it',
  description:
    'Who handed it to whom, when, how sure they were, what is in it in reading order, and last what is wrong. Broken ' +
    'documents show what is there. Secrets are masked. Exits with 1 when a document is rejected.',
  examples: [
    {
      command: 'waybill show handoffs/2026-02-11T14-30-00Z-schema.md',
      does: 'read a handoff document',
    },
    { command: 'waybill show notes.md#L12', does: 'read the block that begins in line 12' },
    { command: 'waybill show context.json --format json', does: 'the same as data' },
  ],
  actor: 'any',
  effect: 'read',
  input,
  run: ({ path }, app): Promise<ShowOutput> => show(path, app, false),
  failed: ({ documents, listed }) => [...documents, ...listed].some(d => !d.accepted),
})

/** The same with the source line and the reason beside each diagnostic. */
export function showForPeople(
  { path }: { readonly path: string },
  app: App,
): Promise<ShowForPeople> {
  return show(path, app, true)
}

async function show(path: string, app: App, people: boolean): Promise<ShowForPeople> {
  const { file, block } = readAddress(path, app)
  const bytes = file === '-' ? await app.stdin() : undefined
  const once = bytes ? { ...app, stdin: () => Promise.resolve(bytes) } : app
  const reports = (await (people ? checkForPeople : check.run)({ paths: [file] }, once)).documents
  const chosen =
    block === undefined ? reports : reports.filter(report => report.path.endsWith(block))
  if (chosen.length === 0) {
    const blocks = reports.map(report => report.path.replace(/^.*#/, '#')).join(', ')
    throw new WaybillError(
      'not-found',
      `no document begins in line ${block?.slice(2)} of ${file}`,
      {
        hint: `name the line of the opening fence: ${blocks}`,
      },
    )
  }
  if (chosen.length > MOST_SHOWN) return { documents: [], listed: chosen.map(listed) }
  return { documents: await views(file, chosen, once), listed: [] }
}

/** A file may have `#` in its name: what exists as it is written is meant. */
function readAddress(path: string, { cwd }: App): { file: string; block?: string } {
  const [, file = path, block] = /^(.+)(#L[0-9]+)$/.exec(path) ?? []
  const whole = block === undefined || existsSync(resolve(cwd, path))
  const name = whole ? path : file
  if (name !== '-' && isFolder(resolve(cwd, name))) {
    throw new WaybillError('usage', `${name} is a folder, and show reads one document`, {
      hint: `waybill check ${name} lists what is wrong in all of its documents`,
    })
  }
  return { file: name, ...(!whole && { block }) }
}

function isFolder(file: string): boolean {
  try {
    return statSync(file).isDirectory()
  } catch {
    // What cannot be looked at is for the check to report.
    return false
  }
}

function listed({ path, contract, accepted }: ReportForPeople): ListedDocument {
  return { path, contract, title: titleOf(contract), accepted }
}

function titleOf(contract: string | null): string {
  return (contract !== null && findContract(contract)?.title) || 'Document of no known contract'
}

/** Values are read apart from the check, whose reports carry none. */
async function views(
  file: string,
  reports: readonly ReportForPeople[],
  app: App,
): Promise<ViewForPeople[]> {
  const config = await loadConfig(app.root)
  const [source] = await findSources({ paths: [file] }, config, app)
  if (!source) return []
  const settings = {
    now: app.now,
    root: app.root,
    structureOnly: true,
    excerpts: false,
    severities: new Map(),
  }
  const sources = openFacts(app, config)
  const read = readSource(source)
  const secrets = typeof read === 'string' ? [] : secretsIn(read.text)
  const { documents } = await checkSource(source, settings, sources)
  return reports.map(report => {
    const document = documents.find(d => d.report.path === report.path)
    const drift = document && driftOf(document, source, sources)
    const view = cleanse(viewOf(report, document, app.now, drift), secrets)
    return {
      ...view,
      diagnostics: view.diagnostics.map((d, i) => ({ ...d, ...excerptOf(report, i) })),
    }
  })
}

/** Excerpts were cleansed in their own way, which keeps the columns that they are underlined by. */
function excerptOf({ diagnostics }: ReportForPeople, index: number): { excerpt?: string } {
  const excerpt = diagnostics[index]?.excerpt
  return excerpt === undefined ? {} : { excerpt }
}

function viewOf(
  report: ReportForPeople,
  document: CheckedDocument | undefined,
  now: number,
  drift?: Drift,
): ViewForPeople {
  const { contract } = report
  const { id, from, to, createdAt, continues, correlation } = document?.header ?? {}
  const sound = document?.report.accepted ?? false
  const body = describeFor(contract)(document?.value, { now, sound, ...(drift && { drift }) })
  // Families that know more of the two agents than their names say it themselves.
  const named = body.facts.some(fact => fact.label === 'From')
  const told = new Set([id, ...body.facts.map(fact => fact.value)])
  const facts: Line[] = lines(
    ['Who', named ? undefined : from && to ? `${from} → ${to}` : from],
    ['When', when(createdAt, now)],
    ['Continues', continues],
    ['Part of', told.has(correlation) ? undefined : correlation],
  )
  return {
    ...report,
    title: titleOf(contract),
    id: id ?? null,
    facts: [...facts, ...body.facts],
    sections: body.sections,
  }
}

/** How far the branch of a handoff document has moved on; other documents name none. */
function driftOf(
  { report, value }: CheckedDocument,
  source: Source,
  sources: ReturnType<typeof openFacts>,
): Drift | undefined {
  const contract =
    report.contract === 'handoff-document' ? findContract(report.contract) : undefined
  if (!contract) return undefined
  const fact = measureDrift({ source, contract, value }, sources)
  return 'value' in fact ? (fact.value as Drift) : undefined
}
