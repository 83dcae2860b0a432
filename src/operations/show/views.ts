import { type Drift, findContract, isHandoffContract } from '../../contracts/index.ts'
import { readMarkdown } from '../../document/index.ts'
import { loadConfig } from '../../workspace/index.ts'
import { ageLimitsIn } from '../check/age-limits.ts'
import { openFacts } from '../check/facts.ts'
import { checkSource } from '../check/file.ts'
import { measureDrift } from '../check/lineage-facts.ts'
import type { CheckedDocument, DiagnosticForPeople, ReportForPeople } from '../check/report.ts'
import { readSource, type Source } from '../check/source.ts'
import { findSources } from '../check/sources.ts'
import type { App } from '../operation.ts'
import { cleanse } from './cleanse.ts'
import { describeFor } from './families.ts'
import { leftOut } from './left-out.ts'
import type { Line, View } from './output.ts'
import { lines, when } from './said.ts'
import type { ViewContext } from './view.ts'

/** A document with the source line and reason of each diagnostic. */
export interface ViewForPeople extends View {
  readonly diagnostics: readonly DiagnosticForPeople[]
}

/**
 * Returns the readable documents of a file; their values are parsed separately, since reports do not contain them.
 *
 * `bytes` is the file content when it was read already.
 */
export async function viewsOf(
  file: string,
  reports: readonly ReportForPeople[],
  app: App,
  bytes?: Uint8Array,
): Promise<ViewForPeople[]> {
  const config = await loadConfig(app.root)
  const [found] = await findSources({ paths: [file] }, config, app)
  if (!found) return []
  const source = bytes ? { ...found, bytes } : found
  const settings = {
    now: app.now,
    root: app.root,
    structureOnly: true,
    excerpts: false,
    severities: new Map(),
  }
  const sources = openFacts(app, config)
  const read = readSource(source)
  const text = typeof read === 'string' ? '' : read.text
  const { documents } = await checkSource(source, settings, sources)
  const views = reports.map(async report => {
    const document = documents.find(d => d.report.path === report.path)
    const drift = document && driftOf(document, source, sources)
    const notShown = await leftOut(report.contract, document?.value, text)
    const context = { now: app.now, ageLimits: ageLimitsIn(config), ...(drift && { drift }) }
    const described = viewOf(report, withDeepHeadings(report, document, text), context)
    const view = cleanse({ ...described, ...(notShown.length > 0 && { notShown }) }, text)
    return {
      ...view,
      diagnostics: view.diagnostics.map((d, i) => ({ ...d, ...excerptOf(report, i) })),
    }
  })
  return Promise.all(views)
}

/** Gives a note whose headings are all of level 3 sections to show. */
function withDeepHeadings(
  { contract }: ReportForPeople,
  document: CheckedDocument | undefined,
  text: string,
): CheckedDocument | undefined {
  const { sections, ...rest } = (document?.value ?? {}) as { sections?: readonly unknown[] }
  if (!document || contract !== 'handoff-note' || sections?.length !== 0) return document
  const deep = readMarkdown(text)
    .headings(3)
    .map(({ title, content }) => ({
      title,
      level: 2,
      body: text.slice(content.start, content.end),
    }))
  return { ...document, value: { ...rest, sections: deep } }
}

/** Excerpts are masked separately, in a way that keeps the underlined columns. */
function excerptOf({ diagnostics }: ReportForPeople, index: number): { excerpt?: string } {
  const excerpt = diagnostics[index]?.excerpt
  return excerpt === undefined ? {} : { excerpt }
}

function viewOf(
  report: ReportForPeople,
  document: CheckedDocument | undefined,
  context: Omit<ViewContext, 'sound'>,
): ViewForPeople {
  const { contract } = report
  const { id, from, to, createdAt, continues, correlation } = document?.header ?? {}
  const sound = document?.report.accepted ?? false
  const body = describeFor(contract)(document?.value, { ...context, sound })
  // Some families show more about both agents themselves.
  const named = body.facts.some(fact => fact.label === 'From')
  const shownValues = new Set([id, ...body.facts.map(fact => fact.value)])
  const facts: Line[] = lines(
    ['Who', named ? undefined : from && to ? `${from} → ${to}` : from],
    ['When', when(createdAt, context.now)],
    ['Continues', continues],
    ['Part of', shownValues.has(correlation) ? undefined : correlation],
  )
  return {
    ...report,
    title: titleOf(contract),
    id: id ?? null,
    facts: [...facts, ...body.facts],
    sections: body.sections,
    ...(body.leading && { leading: body.leading }),
  }
}

/** Returns how far the branch of a handoff document has moved on. */
function driftOf(
  { report, value }: CheckedDocument,
  source: Source,
  sources: ReturnType<typeof openFacts>,
): Drift | undefined {
  const { contract: name } = report
  const contract = name !== null && isHandoffContract(name) ? findContract(name) : undefined
  if (!contract) return undefined
  const fact = measureDrift({ source, contract, value }, sources)
  return 'value' in fact ? (fact.value as Drift) : undefined
}

/** Returns the title of a contract for people. */
export function titleOf(contract: string | null): string {
  return (contract !== null && findContract(contract)?.title) || 'Document of unknown contract'
}
