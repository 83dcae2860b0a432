import { normalPath } from '../../contracts/index.ts'
import type { Config } from '../../workspace/index.ts'
import type { Settings } from './file.ts'
import { excerpts } from './file.ts'
import { type ReportForPeople, toReport } from './report.ts'
import { readSource, type Source } from './source.ts'

type Missions = NonNullable<Config['missions']>

/** As in missions, whose layer is not loaded where there is no template. */
const FOLDER = 'missions/templates'
const START = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }

/**
 * Takes the templates of missions and of their prompts from the sources, and reports on those that are at fault, or were
 * named. They are no documents of a contract: nobody hands them over.
 */
export async function takeTemplates(
  sources: Source[],
  missions: Missions,
  settings: Settings,
): Promise<ReportForPeople[]> {
  const folder = normalPath(missions.templates ?? FOLDER)
  const found = sources.filter(({ path }) => path.startsWith(`${folder}/`))
  if (found.length === 0) return []
  const { faultsInTemplate } = await import('../../mission/index.ts')
  const reports: ReportForPeople[] = []
  for (const source of found) {
    const faults = await faultsInTemplate(settings.root, missions, source)
    if (!faults) continue
    sources.splice(sources.indexOf(source), 1)
    if (faults.length > 0 || source.named) reports.push(reportOf(source, faults, settings))
  }
  return reports
}

type Faults = NonNullable<
  Awaited<ReturnType<typeof import('../../mission/index.ts')['faultsInTemplate']>>
>

function reportOf(source: Source, faults: Faults, { excerpts: isShown }: Settings) {
  const diagnostics = faults.map(({ message, hint, path = '', range = START }) => ({
    code: 'mission/template',
    severity: 'error' as const,
    ...{ path, range, message },
    ...(hint !== undefined && { hint }),
  }))
  const accepted = faults.length === 0
  const result = { accepted, diagnostics, notRun: [], suppressed: [] }
  const read = isShown ? readSource(source) : ''
  const people = typeof read !== 'string' && {
    excerptOf: excerpts(read.text),
    whyOf: () => undefined,
  }
  return toReport(source.path, undefined, result, people || undefined)
}
