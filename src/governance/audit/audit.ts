import { existsSync } from 'node:fs'
import { WaybillError } from '../../error.ts'
import {
  auditFolder,
  auditState as auditLogState,
  auditTree,
  type Checkpoint,
  IndexAudit,
  isSame,
  type PendingEntry,
  type ReadTile,
  readTile,
  tilePath,
  toHex,
} from '../../ledger/index.ts'
import { digestBytes } from '../digest.ts'
import { openTrusted, readNote, type TrustedCheckpoint, whyEnded } from './checkpoint.ts'
import { auditGuard } from './guards.ts'
import { type AuditHelp, auditEntries } from './pool.ts'
import { auditReceipt } from './receipt.ts'
import { Faults, type LogAudit } from './report.ts'
import { Tally } from './tally.ts'
import type { AuditTrust } from './trust.ts'
import { auditWitnesses, type WantedWitnesses } from './witnesses.ts'

/** What is to be verified, and how. */
export interface AuditRequest {
  readonly folder: string
  readonly trust: AuditTrust
  /** Files that hold the last checkpoint of a log outside its folder. */
  guards(origin: string): readonly string[]
  /** Tree and checkpoints only. */
  readonly quick: boolean
  /** That the folder is a copy, which may lack what the log keeps for its own work. */
  readonly isCopy: boolean
  readonly receipt?: unknown
  readonly witnesses?: WantedWitnesses | undefined
  readonly help: AuditHelp & { progress?(done: number, total: number): void }
}

/** Verifies a log by recomputing all that it says; whatever is wrong is in the answer. */
export async function auditLog(request: AuditRequest): Promise<LogAudit> {
  const { folder, trust } = request
  if (!existsSync(folder))
    throw new WaybillError('not-found', `there is no ledger at ${folder}`, {
      hint: 'the first send or receive makes one; --ledger names another folder',
    })
  const faults = new Faults()
  const note = readNote(folder)
  const opened = typeof note === 'string' ? openTrusted(note, trust) : note
  if ('code' in opened) {
    faults.add(opened.code, opened.detail, { file: 'checkpoint' })
    return { ...NOTHING, ...faults.result() }
  }
  return await auditOpened(request, opened, faults)
}

const NOTHING: Omit<LogAudit, 'faults' | 'errors' | 'warnings'> = {
  origin: undefined,
  size: undefined,
  root: undefined,
  signers: [],
  keys: [],
  kinds: {},
  since: undefined,
  until: undefined,
  erased: [],
  pending: 0,
  guards: [],
  witnessed: undefined,
  receipt: undefined,
}

async function auditOpened(
  request: AuditRequest,
  opened: TrustedCheckpoint,
  faults: Faults,
): Promise<LogAudit> {
  const { folder, trust } = request
  const { origin, size, root } = opened.checkpoint
  await auditTiles(request, opened, faults)
  const guards = await auditGuards(request, opened.checkpoint, faults)
  const tally = request.quick ? undefined : await auditAll(request, opened, faults)
  const waiting = await auditState(request, opened, faults)
  if (!request.quick) auditFiles(request, size, faults)
  const { witnesses } = request
  const witnessed = witnesses && (await auditWitnesses(opened, witnesses, faults))
  const keys = trust.entries(origin)
  const ground = { folder, origin, size, keys, pending: waiting.entries }
  const kept = request.receipt === undefined ? undefined : auditReceipt(request.receipt, ground)
  if (kept && 'code' in kept) faults.add(kept.code, kept.detail, kept)
  return {
    ...NOTHING,
    origin,
    size,
    root: toHex(root),
    signers: opened.keys.map(({ name, id }) => `${name}+${id}`),
    keys: tally?.keys(keys) ?? [],
    kinds: tally?.kinds ?? {},
    ...tally?.span,
    erased: tally?.erased() ?? [],
    pending: waiting.count,
    guards,
    witnessed,
    receipt: kept && 'state' in kept ? kept : undefined,
    ...faults.result(),
  }
}

/** The tree: every leaf, every tile that counts, and the root that was signed. */
async function auditTiles(
  { folder, quick, help }: AuditRequest,
  { checkpoint: { size, root } }: TrustedCheckpoint,
  faults: Faults,
): Promise<void> {
  let problem: unknown
  const read: ReadTile = tile => {
    try {
      return readTile(folder, tile)
    } catch (error) {
      problem ??= error
      return new Uint8Array(0)
    }
  }
  const progress = (done: number) => {
    if (quick && done % 4096 === 0) help.progress?.(done, size)
  }
  const audited = await auditTree(digestBytes, size, read, progress)
  if (!('fault' in audited)) {
    if (isSame(audited.root, root)) return
    const message = `the entries add up to the root ${toHex(audited.root)}, and ${toHex(root)} was signed`
    faults.add('ledger/root-differs', message, { file: 'checkpoint' })
    return
  }
  const { fault, tile, index } = audited
  const why = problem instanceof WaybillError ? `: ${problem.message}` : ''
  const place = { file: tilePath(tile), ...(index !== undefined && { index }) }
  const code = index === undefined ? 'ledger/tile-damaged' : 'ledger/entry-not-in-tree'
  faults.add(code, `${fault}${why}`, place)
}

async function auditGuards(
  { guards, folder, trust }: AuditRequest,
  { origin, size }: Checkpoint,
  faults: Faults,
): Promise<LogAudit['guards']> {
  const sound: { file: string; size: number }[] = []
  for (const file of guards(origin)) {
    const guarded = await auditGuard(file, folder, size, trust)
    if (!guarded) continue
    if ('code' in guarded) faults.add(guarded.code, guarded.detail, { file })
    else sound.push(guarded)
  }
  return sound
}

/** The entries, and what follows from all of them together. */
async function auditAll(
  { folder, trust, help }: AuditRequest,
  opened: TrustedCheckpoint,
  faults: Faults,
): Promise<Tally> {
  const { origin, size } = opened.checkpoint
  const index = existsSync(`${folder}/.state`) ? new IndexAudit(folder, size) : undefined
  const tally = new Tally(index, faults)
  const job = { folder, size, keys: trust.entries(origin) }
  await auditEntries(job, index?.edges ?? [], help, report => {
    tally.add(report)
    help.progress?.(report.to, size)
  })
  tally.end(folder, size)
  const ended = whyEnded(opened, tally.span.until)
  if (ended) faults.add(ended.code, ended.detail, { file: 'checkpoint' })
  return tally
}

function auditFiles({ folder }: AuditRequest, size: number, faults: Faults): void {
  for (const { found, file, detail } of auditFolder(folder, size))
    faults.add(found, detail, { file })
}

/** What the log keeps for its own work; the promised entries are held only where a receipt may speak of one. */
async function auditState(
  { folder, isCopy, quick, receipt }: AuditRequest,
  { checkpoint: { origin, size } }: TrustedCheckpoint,
  faults: Faults,
): Promise<{ readonly count: number; readonly entries: readonly PendingEntry[] }> {
  const entries: PendingEntry[] = []
  let count = 0
  const findings = auditLogState(folder, { origin, size }, entry => {
    count++
    if (receipt !== undefined) entries.push(entry)
  })
  // A copy for others holds only what they may read.
  for await (const { found, file, detail } of findings)
    if (!quick && (found !== 'ledger/state-missing' || !isCopy)) faults.add(found, detail, { file })
  return { count, entries }
}
