import { normalPath } from '../../contracts/index.ts'
import type { Config } from '../../workspace/index.ts'
import type { Settings } from './file.ts'
import { excerpts } from './file.ts'
import { type ReportForPeople, toReport } from './report.ts'
import { readSource, type Source } from './source.ts'

type Missions = NonNullable<Config['missions']>

/** The default of the mission layer, which is loaded only if there are templates. */
const FOLDER = 'missions/templates'
/** The check of mission templates. */
export interface TakenTemplates {
  readonly reports: readonly ReportForPeople[]
  /** Number of templates without a report: they have no problems. */
  readonly sound: number
}

const START = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }

/** Removes the mission and prompt templates from the sources, and reports those that have problems or were named. */
export async function takeTemplates(
  sources: Source[],
  missions: Missions,
  settings: Settings,
): Promise<TakenTemplates> {
  const folder = normalPath(missions.templates ?? FOLDER)
  const found = sources.filter(({ path }) => path.startsWith(`${folder}/`))
  if (found.length === 0) return { reports: [], sound: 0 }
  const { faultsInTemplate } = await import('../../mission/index.ts')
  const reports: ReportForPeople[] = []
  let sound = 0
  for (const source of found) {
    const faults = await faultsInTemplate(settings.root, missions, source)
    if (!faults) continue
    sources.splice(sources.indexOf(source), 1)
    if (faults.length > 0 || source.named) reports.push(reportOf(source, faults, settings))
    else sound++
  }
  return { reports, sound }
}

type Faults = NonNullable<
  Awaited<ReturnType<typeof import('../../mission/index.ts')['faultsInTemplate']>>
>

function reportOf(source: Source, faults: Faults, { excerpts: isShown }: Settings) {
  const diagnostics = faults.map(({ severity, message, hint, path = '', range = START }) => ({
    code: severity === 'error' ? 'mission/template' : 'mission/template-tool',
    severity,
    ...{ path, range, message },
    ...(hint !== undefined && { hint }),
  }))
  const accepted = !faults.some(({ severity }) => severity === 'error')
  const result = { accepted, diagnostics, notRun: [], suppressed: [] }
  const read = isShown ? readSource(source) : ''
  const people = typeof read !== 'string' && {
    excerptOf: excerpts(read.text),
    whyOf: () => undefined,
  }
  return toReport(source.path, undefined, result, people || undefined)
}
