import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { areRecordsTracked, VERIFICATION } from '../../session/index.ts'
import { type Recorded, readRecords, sha256 } from '../../workspace/index.ts'
import type { DocumentReport } from '../check/output.ts'
import check from '../check.ts'
import type { App } from '../operation.ts'
import type { View } from '../show/output.ts'
import { viewsOf } from '../show/views.ts'
import { fitBrief, tokensOf } from './fit.ts'
import type { BriefOutput, BriefSource } from './output.ts'
import { type Part, partsOf } from './parts.ts'

/** Documents to brief from: the paths that a person named, and those that they go back to, the nearest first. */
export interface Selection {
  readonly paths: readonly string[]
  readonly inherited: readonly string[]
  /** Documents further back that are left out. */
  readonly unread: number
}

/** Makes the brief of some documents; one with errors refuses it, unless it was inherited: then it is left out. */
export async function composeBrief(
  { paths, inherited, unread }: Selection,
  budget: number,
  app: App,
): Promise<BriefOutput> {
  const own = await readAll(paths, false, app)
  const older = await readAll(inherited, true, app)
  const refused = [...own, ...older].flatMap(({ refused }) => refused)
  const none = { boundary: null, tokens: 0, budget, sources: [], cut: [], unread }
  if (own.some(file => file.refused.length > 0)) return { brief: null, ...none, refused }
  const read = [...own, ...older].flatMap(({ documents }) => documents)
  const sources = read.map(({ source }) => source)
  const parts: Part[] = read.flatMap(({ view }, i) => partsOf(view, i))
  const { text, boundary, cut } = fitBrief(parts, sources, budget)
  return { brief: text, boundary, tokens: tokensOf(text), budget, sources, cut, unread, refused }
}

interface ReadFile {
  readonly documents: readonly { readonly view: View; readonly source: BriefSource }[]
  readonly refused: readonly DocumentReport[]
}

async function readAll(
  paths: readonly string[],
  inherited: boolean,
  app: App,
): Promise<ReadFile[]> {
  const byFile = await checkAll(paths, app)
  // Records that came with the repository may have been written by whoever wrote the documents.
  const verified = areRecordsTracked(app.root) ? [] : readRecords(app.root, VERIFICATION).records
  const files: ReadFile[] = []
  for (const [file, reports] of byFile) {
    const refused = reports.filter(({ accepted }) => !accepted)
    const accepted = reports.filter(report => report.accepted)
    const views = accepted.length > 0 ? await viewsOf(resolve(app.root, file), accepted, app) : []
    const digest = sha256(readFileSync(resolve(app.root, file)))
    const source = (view: View): BriefSource => ({
      path: view.path,
      contract: view.contract ?? '',
      sha256: digest,
      inherited,
      verifiedBy: verifierOf(digest, verified),
    })
    files.push({ documents: views.map(view => ({ view, source: source(view) })), refused })
  }
  return files
}

/** The reports by file, in the order in which the paths were named. */
async function checkAll(
  paths: readonly string[],
  app: App,
): Promise<ReadonlyMap<string, readonly DocumentReport[]>> {
  const byFile = new Map<string, DocumentReport[]>()
  for (const path of paths) {
    const { documents } = await check.run({ paths: [path] }, app)
    const seen = new Set(byFile.keys())
    for (const report of documents) {
      const file = fileOf(report.path, app)
      if (!seen.has(file)) byFile.set(file, [...(byFile.get(file) ?? []), report])
    }
  }
  return byFile
}

/** A file may have `#L1` in its name: what exists as it is written is meant. */
function fileOf(path: string, { root }: App): string {
  return existsSync(resolve(root, path)) ? path : path.replace(/#L[0-9]+$/, '')
}

function verifierOf(digest: string, records: readonly Recorded[]): string | null {
  return records.findLast(({ subject }) => subject?.sha256 === digest)?.by ?? null
}
