import { parseInstant } from '../../document/index.ts'
import { type AuditTrust, readEntry } from '../../governance/index.ts'
import type { LogReader } from '../../ledger/index.ts'
import { readSnapshot, type Store } from '../../store/index.ts'
import { noMission, type Which } from '../run/control.ts'
import { type BundleContent, bundleLines, rootOf } from './bundle-lines.ts'
import { inProofs, proveMission } from './bundle-proofs.ts'
import { readBundle } from './bundle-reading.ts'
import type { Difference } from './codes.ts'
import { evidenceIn } from './evidence.ts'
import { pausesFor } from './pause.ts'
import { notTooMany, type Replayed, replaySnapshot } from './replay.ts'

/** A mission exported as a bundle. */
export interface Exported {
  readonly mission: string
  /** The root digest of the mission, which the recipient can compare through another channel. */
  readonly root: string
  readonly artifacts: number
  /** How many of the artifacts were erased. */
  readonly erased: number
  readonly entries: number
  /** The lines of the bundle, with line ends. */
  lines(): Iterable<string>
}

/**
 * Exports a mission as a bundle that can be verified offline; the mission may still run.
 * @throws {WaybillError} 'not-found' when the tenant has no such mission; 'ledger-tampered' when the log was changed.
 */
export async function exportMission(
  store: Store,
  { tenant, mission }: Which,
  { now, log }: { readonly now: number; readonly log?: LogReader | undefined },
): Promise<Exported> {
  const known = (await log?.size()) ?? 0
  const snapshot = await store.tenant(tenant, tx => readSnapshot(tx, mission))
  if (!snapshot) throw noMission(mission)
  const proved = log
    ? await proveMission({ snapshot, tenant, known }, log)
    : { log: null, entries: [] }
  const exportedAt = new Date(now).toISOString()
  const { artifacts } = snapshot
  return {
    mission: snapshot.mission,
    root: rootOf(snapshot, tenant),
    artifacts: artifacts.length,
    erased: artifacts.filter(({ payload }) => payload === null).length,
    entries: proved.entries.length,
    lines: () => bundleLines({ tenant, exportedAt, ...proved, snapshot }),
  }
}

/** How a bundle is verified. */
export interface BundleTrust {
  /** Milliseconds since the epoch. */
  readonly now: number
  /** The trusted log; without it the entries are not authenticated. */
  readonly trust?: AuditTrust | undefined
  /** The expected root digest. */
  readonly root?: string | undefined
  /** Cancels the verification. */
  readonly signal?: AbortSignal | undefined
}

/** The result of verifying a bundle. */
export interface VerifiedBundle {
  readonly accepted: boolean
  readonly tenant: string | null
  readonly exportedAt: string | null
  readonly origin: string | null
  readonly entries: number
  /** Whether the bundle has log entries, and whether a trusted key signed them. */
  readonly evidence: 'verified' | 'unverified' | 'none'
  /** Null when the bundle could not be parsed. */
  readonly replayed: Replayed | null
  readonly differences: readonly Difference[]
}

/** Verifies a bundle offline; never throws on invalid bytes. */
export async function verifyBundle(bytes: Uint8Array, by: BundleTrust): Promise<VerifiedBundle> {
  return (await openBundle(bytes, by)).verified
}

/** A verified bundle, with its content if accepted. */
export interface OpenedBundle {
  readonly verified: VerifiedBundle
  readonly content?: BundleContent
}

/** Verifies a bundle and returns its content. */
export async function openBundle(bytes: Uint8Array, by: BundleTrust): Promise<OpenedBundle> {
  try {
    return await open(bytes, by)
  } catch (error) {
    if (by.signal?.aborted) throw error
    // Hostile content must not crash the caller.
    const message = 'the bundle cannot be read'
    return { verified: refused([{ code: 'bundle/malformed', path: '', message }]) }
  }
}

const EMPTY: Omit<VerifiedBundle, 'accepted' | 'differences'> = {
  tenant: null,
  exportedAt: null,
  origin: null,
  entries: 0,
  evidence: 'none',
  replayed: null,
}

function refused(differences: readonly Difference[]): VerifiedBundle {
  return { ...EMPTY, accepted: false, differences }
}

async function open(
  bytes: Uint8Array,
  { now, trust, root, signal }: BundleTrust,
): Promise<OpenedBundle> {
  const read = readBundle(bytes)
  if ('differences' in read) return { verified: refused(read.differences) }
  const { content } = read
  const { tenant, exportedAt, log, entries, snapshot } = content
  const others: Difference[] = []
  if (root !== undefined && root !== read.root) {
    const message = `the root digest is ${read.root}`
    others.push({ code: 'bundle/not-expected', path: '', message })
  }
  const unproved = await notTooMany(inProofs({ log, entries }, trust, pausesFor(signal)))
  const hasEvidence = log !== null && unproved.length === 0
  const replayed = await replaySnapshot(snapshot, {
    ...{ tenant, signal },
    // With a slow local clock, logged events must not lie in the future.
    now: hasEvidence ? Math.max(now, latestIn(entries)) : now,
    ...(hasEvidence && { evidence: evidenceIn(entries) }),
  })
  const differences = [...others, ...unproved, ...replayed.differences]
  const accepted = differences.length === 0
  const verified: VerifiedBundle = {
    accepted,
    tenant,
    exportedAt,
    origin: log?.origin ?? null,
    entries: entries.length,
    evidence: !hasEvidence ? 'none' : trust ? 'verified' : 'unverified',
    replayed,
    differences,
  }
  return accepted ? { verified, content } : { verified }
}

/** The time of the last entry, in milliseconds since the epoch. */
function latestIn(entries: BundleContent['entries']): number {
  const times = entries.map(({ content }) => {
    const entry = readEntry(content)
    return entry.is === 'entry' ? parseInstant(String(entry.statement.predicate.at)) : undefined
  })
  return times.reduce<number>((latest, time) => Math.max(latest, time ?? 0), 0)
}
