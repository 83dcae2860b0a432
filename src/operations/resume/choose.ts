import { join } from 'node:path'
import type { Facts, Override } from '../../contract/index.ts'
import { type Drift, findContract, isHandoffContract } from '../../contracts/index.ts'
import { type Document, decode, MOST_BYTES, readDocuments } from '../../document/index.ts'
import { WaybillError } from '../../error.ts'
import { type Lineage, lineageFactOf, linkOf, type Member } from '../../session/index.ts'
import { loadConfig, readOwnFile, sha256 } from '../../workspace/index.ts'
import { excuse, isUnconditional, readBaseline } from '../check/baseline.ts'
import { type FactSources, remember } from '../check/fact-sources.ts'
import { openFacts } from '../check/facts.ts'
import { checkSource, type Settings } from '../check/file.ts'
import { driftSince } from '../check/lineage-facts.ts'
import type { DocumentReport } from '../check/output.ts'
import type { App } from '../operation.ts'

/** A handoff document that was read once, with its reports. */
export interface Candidate {
  readonly member: Member
  /** The digest of its bytes; absent when unreadable. */
  readonly digest?: string
  readonly document?: Document
  /** Reports of the document and its blocks; an error in any refuses the document. */
  readonly reports: readonly DocumentReport[]
}

/** Returns the newest valid handoff document and the newer invalid ones, newest first. */
export async function newestValid(
  lineage: Lineage,
  app: App,
  known?: FactSources,
): Promise<{ readonly newest?: Candidate; readonly passedOver: readonly Candidate[] }> {
  const sources = known ?? openFacts(app, await loadConfig(app.root))
  const passedOver: Candidate[] = []
  const members = lineage.members.filter(({ handoff }) => handoff)
  for (const member of members.toReversed()) {
    const candidate = await examine(member, sources)
    if (isValid(candidate)) return { newest: candidate, passedOver }
    // Keep only the reasons, to save memory.
    const { reports } = candidate
    passedOver.push({ member, reports })
  }
  return { passedOver }
}

/** Reports whether a document and its blocks have no errors. */
export function isValid({ reports, digest }: Candidate): boolean {
  return digest !== undefined && reports.every(({ accepted }) => accepted)
}

/** Reads a document once and checks its file with all facts; the baseline excuses what it excuses in a check. */
export async function examine(member: Member, sources: FactSources): Promise<Candidate> {
  const file = join(sources.root, member.path)
  const bytes = bytesOf(file)
  if (!bytes) return { member, reports: await reportsOn(member, undefined, sources, {}) }
  const { text, faults } = decode(bytes)
  const [document] = (await readDocuments(text, 'markdown', faults)).documents
  if (document) mustBeAsItWas(member, document)
  const given = {
    lineage: { value: lineageFactOf(member) },
    drift: { missing: 'resuming reports it itself' },
  }
  const reports = await excused(await reportsOn(member, bytes, sources, given), sources)
  return { member, reports, digest: sha256(bytes), ...(document && { document }) }
}

async function excused(
  reports: readonly DocumentReport[],
  sources: FactSources,
): Promise<readonly DocumentReport[]> {
  const { root } = sources
  const baseline = remember(sources, 'baseline', () => readBaseline({ root, cwd: root }))
  return baseline ? excuse(reports, baseline, false) : reports
}

/** Returns what happened since a document was written, whatever its age. */
export function driftOf({ path }: Member, value: unknown, sources: FactSources): Drift | undefined {
  const contract = findContract('handoff-document')
  if (!contract) return undefined
  const source = { file: join(sources.root, path), path, named: true }
  const drift = driftSince({ source, contract, value }, sources)
  return 'value' in drift ? (drift.value as Drift) : undefined
}

/** Throws 'conflict' when the document changed after the lineage was read. */
function mustBeAsItWas(member: Member, { value, faults }: Document): void {
  const { timestamp, continuesFrom } = linkOf(value)
  const branch = (value as { frontmatter?: { branch?: unknown } } | undefined)?.frontmatter?.branch
  if (faults.length > 0 || member.fault !== undefined) return
  const isSameBranch = typeof branch !== 'string' || branch === (member.branch ?? '')
  if (isSameBranch && timestamp === member.timestamp && continuesFrom === member.continuesFrom)
    return
  throw new WaybillError('conflict', `${member.path} is being changed by another process`, {
    hint: 'try again',
  })
}

async function reportsOn(
  { path }: Member,
  bytes: Uint8Array | undefined,
  sources: FactSources,
  given: Facts,
): Promise<readonly DocumentReport[]> {
  const source = { file: join(sources.root, path), path, named: true, ...(bytes && { bytes }) }
  const settings = await settingsFor(sources)
  const facts = { ...sources, given }
  const { documents } = await checkSource(source, settings, facts)
  const reports = documents.map(({ report }) => report)
  if (reports.some(({ contract }) => isHandoffContract(contract))) return reports
  // Check an unrecognised document as a handoff, to show what it lacks.
  const asHandoff = { ...settings, contract: 'handoff-document.v1' }
  return (await checkSource(source, asHandoff, facts)).documents.map(({ report }) => report)
}

/** Returns the severities of `waybill.yaml`, except for rules that cannot be lowered. */
async function settingsFor({ root, now, config }: FactSources): Promise<Settings> {
  const severities = new Map<string, Override>()
  for (const [code, override] of Object.entries(config.rules ?? {}))
    if (!(await isUnconditional(code))) severities.set(code, override)
  return {
    now,
    root,
    structureOnly: false,
    excerpts: false,
    severities,
  }
}

function bytesOf(file: string): Buffer | undefined {
  try {
    return readOwnFile(file, MOST_BYTES)
  } catch {
    // The check reports the reason.
    return undefined
  }
}
