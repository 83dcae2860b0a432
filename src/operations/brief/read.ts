import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { MOST_BYTES } from '../../document/index.ts'
import { WaybillError } from '../../error.ts'
import { areRecordsTracked, VERIFICATION } from '../../session/index.ts'
import {
  loadConfig,
  openFiles,
  pathFromRoot,
  type Recorded,
  readOwnFile,
  readRecords,
  sha256,
} from '../../workspace/index.ts'
import type { DocumentReport } from '../check/output.ts'
import { fileOf } from '../check/report.ts'
import { findSources } from '../check/sources.ts'
import check from '../check.ts'
import type { App } from '../operation.ts'
import type { View } from '../show/output.ts'
import { viewsOf } from '../show/views.ts'
import type { BriefSource } from './output.ts'

/** The documents of a file that can be quoted, and the reports of those with errors. */
interface ReadFile {
  readonly documents: readonly { readonly view: View; readonly source: BriefSource }[]
  readonly refused: readonly DocumentReport[]
}

/** Checks and reads the documents at some paths; what is quoted is byte for byte what was checked. */
export async function readAll(paths: readonly string[], app: App): Promise<ReadFile[]> {
  if (paths.length === 0) return []
  const { byFile, digests } = await checkAll(paths, app)
  const { records } = readRecords(app.root, VERIFICATION)
  // Tracked records may be written by the author of the documents, so they prove nothing.
  const verified = records.length === 0 || areRecordsTracked(app.root) ? [] : records
  const files: ReadFile[] = []
  for (const [file, reports] of byFile) {
    const refused = reports.filter(({ accepted }) => !accepted)
    const accepted = reports.filter(report => report.accepted)
    if (accepted.length === 0) {
      files.push({ documents: [], refused })
      continue
    }
    const bytes = bytesAt(resolve(app.root, file))
    const digest = bytes && sha256(bytes)
    if (!bytes || !digest || digest !== digests.get(file)) throw changed(file)
    const source = (view: View): BriefSource => ({
      path: view.path,
      contract: view.contract ?? '',
      sha256: digest,
      inherited: false,
      verifiedBy: verifierOf(digest, verified),
    })
    const views = await viewsOf(resolve(app.root, file), accepted, app, bytes)
    files.push({ documents: views.map(view => ({ view, source: source(view) })), refused })
  }
  return files
}

interface Checked {
  /** In the order of the named paths. */
  readonly byFile: ReadonlyMap<string, readonly DocumentReport[]>
  /** Digests of the files before the check. */
  readonly digests: ReadonlyMap<string, string>
}

async function checkAll(paths: readonly string[], app: App): Promise<Checked> {
  const config = await loadConfig(app.root)
  const byFile = new Map<string, DocumentReport[]>()
  const digests = new Map<string, string>()
  const seen = new Set<string>()
  for (const path of paths) {
    const { name, block } = addressOf(path, app)
    mustBeWithin(name, app)
    for (const { file, path } of await findSources({ paths: [name] }, config, app)) {
      const bytes = digests.has(path) ? undefined : bytesAt(file)
      if (bytes) digests.set(path, sha256(bytes))
    }
    const { documents } = await check.run({ paths: [name] }, app)
    const chosen = documents.filter(report => !block || report.path.endsWith(block))
    if (chosen.length === 0) throw nothingAt(path, block)
    for (const report of chosen.filter(report => !seen.has(report.path))) {
      const file = fileOf(report.path, app)
      seen.add(report.path)
      byFile.set(file, [...(byFile.get(file) ?? []), report])
    }
  }
  return { byFile, digests }
}

/** Splits off a block by the line of its fence (#L12), unless a file has that whole name. */
function addressOf(path: string, { cwd }: App): { readonly name: string; readonly block?: string } {
  const [, name, block] = /^(.+)(#L[0-9]+)$/.exec(path) ?? []
  if (name === undefined || block === undefined || existsSync(resolve(cwd, path)))
    return { name: path }
  return { name, block }
}

/** Refuses a link that leads out of the repository: it could expose any file of this machine. */
function mustBeWithin(name: string, app: App): void {
  const path = pathFromRoot(name, app)
  if (path.startsWith('../') || openFiles(app.root).kindOf(path) !== 'outside') return
  throw new WaybillError('usage', `${name} is a link to a place outside the repository`)
}

function nothingAt(path: string, block: string | undefined): WaybillError {
  return block === undefined
    ? new WaybillError('not-found', `no document in ${path}`, {
        hint: 'run waybill schema to list the contracts',
      })
    : new WaybillError('not-found', `no document begins in line ${block.slice(2)} of ${path}`, {
        hint: 'name the line of the opening fence; run waybill check to list them',
      })
}

function changed(path: string): WaybillError {
  return new WaybillError('conflict', `${path} changed while it was read`, {
    hint: 'review the file and try again',
  })
}

function bytesAt(file: string): Uint8Array | undefined {
  try {
    return readOwnFile(file, MOST_BYTES)
  } catch {
    // The check reports the reason.
    return undefined
  }
}

function verifierOf(digest: string, records: readonly Recorded[]): string | null {
  return records.findLast(({ subject }) => subject?.sha256 === digest)?.by ?? null
}
