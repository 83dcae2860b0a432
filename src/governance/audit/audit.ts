import { existsSync } from 'node:fs'
import { WaybillError } from '../../error.ts'
import {
  auditFolder,
  auditState as auditLogState,
  auditTree,
  type Checkpoint,
  IndexAudit,
  isSame,
  mostEntries,
  type PendingEntry,
  type ReadTile,
  readTile,
  tilePath,
  toHex,
} from '../../ledger/index.ts'
import { lookThrough, sha256 } from '../../workspace/index.ts'
import { digestBytes } from '../digest.ts'
import { copyOf } from '../gateway/place.ts'
import { type TellFinding, tellerOf } from './ahead.ts'
import { openTrusted, readNote, type TrustedCheckpoint, whyEnded } from './checkpoint.ts'
import { auditEntry } from './entry.ts'
import { auditGuard } from './guards.ts'
import { Keyring } from './keyring.ts'
import { erasuresSince } from './meanwhile.ts'
import { type AuditHelp, EntryAudit } from './pool.ts'
import {
  type AuditedReceipt,
  auditReceipt,
  type ReceiptGiven,
  type ReceiptGround,
} from './receipt.ts'
import { Faults, type LogAudit } from './report.ts'
import { BY_SENDERS, STATED } from './said.ts'
import { Tally } from './tally.ts'
import type { AuditTrust } from './trust.ts'
import { auditVoices } from './voices.ts'
import { auditWitnesses, type WantedWitnesses } from './witnesses.ts'

/** What to verify, and how. */
export interface AuditRequest {
  readonly folder: string
  readonly trust: AuditTrust
  /** Returns the files outside a log's folder that hold its last checkpoint. */
  guards(origin: string): readonly string[]
  /** Returns the repository that a log was copied from. */
  original?(origin: string): string | undefined
  /** Verify only the tree and checkpoints. */
  readonly quick: boolean
  /** Also verify the signatures of senders, which takes longer than all other checks. */
  readonly senders: boolean
  /** Whether the folder is a copy, which may lack files that the log keeps for its own work. */
  readonly isCopy: boolean
  readonly receipts: readonly ReceiptGiven[]
  readonly witnesses?: WantedWitnesses | undefined
  readonly help: AuditHelp & { progress?(done: number, total: number): void }
}

/**
 * Verifies a log by recomputing it, and returns every fault found.
 *
 * @throws {WaybillError} 'not-found' when the folder does not exist.
 */
export async function auditLog(request: AuditRequest): Promise<LogAudit> {
  const { folder, trust } = request
  if (!lookThrough(folder))
    throw new WaybillError('not-found', `there is no ledger at ${folder}`, {
      hint: request.isCopy
        ? 'name the folder of a log with --ledger, such as a copy of .waybill/ledger'
        : 'the first send or receive creates it; or name another folder with --ledger',
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
  voices: undefined,
  witnessed: undefined,
  receipts: [],
}

/** Verifies receipts without a log, by the keys of their gateways. */
export async function auditPromises(
  receipts: readonly ReceiptGiven[],
  { entries }: AuditTrust,
): Promise<LogAudit> {
  const faults = new Faults()
  const audited = await auditReceipts(receipts, undefined, entries, faults)
  return { ...NOTHING, receipts: audited, ...faults.result() }
}

async function auditReceipts(
  receipts: readonly ReceiptGiven[],
  ground: ReceiptGround | undefined,
  others: AuditTrust['entries'],
  faults: Faults,
): Promise<AuditedReceipt[]> {
  const sound: AuditedReceipt[] = []
  for (const given of receipts) {
    const audited = await auditReceipt(given, ground, others)
    if ('code' in audited) faults.add(audited.code, audited.detail, { ...audited, ...given })
    else sound.push(audited)
  }
  return sound
}

async function auditOpened(
  request: AuditRequest,
  opened: TrustedCheckpoint,
  faults: Faults,
): Promise<LogAudit> {
  const entries = request.quick ? undefined : startEntries(request, opened)
  try {
    return await auditParts(request, opened, entries, faults)
  } finally {
    entries?.audit.stop()
    entries?.index?.close()
  }
}

/** The running verification of entries, and the index compared with them. */
interface Entries {
  readonly index: IndexAudit | undefined
  readonly audit: EntryAudit
}

function startEntries(
  { folder, trust, senders, help }: AuditRequest,
  opened: TrustedCheckpoint,
): Entries {
  const { origin, size } = opened.checkpoint
  const index = existsSync(`${folder}/.state`) ? new IndexAudit(folder, size) : undefined
  const wanted = trust.listed ? [...STATED, ...(senders ? BY_SENDERS : [])] : []
  const until = Math.min(size, mostEntries(folder))
  const job = { folder, size, until, keys: trust.entries(origin), wanted }
  return { index, audit: new EntryAudit(job, index?.edges ?? [], help) }
}

async function auditParts(
  request: AuditRequest,
  opened: TrustedCheckpoint,
  entries: Entries | undefined,
  faults: Faults,
): Promise<LogAudit> {
  const { folder, trust } = request
  const { origin, size, root } = opened.checkpoint
  const tell = tellerOf(request, opened, faults)
  const isDamaged = !(await auditTiles(request, opened, faults))
  const original = request.original?.(origin)
  if (original !== undefined) faults.add('ledger/copied', copyOf(original), { file: original })
  const guards = await auditGuards(request, opened.checkpoint, isDamaged, tell)
  // Runs while other threads verify entries; reported after their findings.
  const findings = request.quick ? [] : [...auditFolder(folder, size)]
  const tally = entries && (await auditAll(request, opened, entries, faults, tell))
  const listeners = trust.listed && { trust: trust.listed, origin, isForeign: request.isCopy }
  const voices =
    tally &&
    listeners &&
    (await auditVoices({ folder, size }, tally.wanted, listeners, faults, request.help))
  const waiting = await auditState(request, opened, faults, tell)
  for (const finding of findings) tell(finding)
  const { witnesses } = request
  const witnessed = witnesses && (await auditWitnesses(opened, witnesses, faults))
  const keys = trust.entries(origin)
  const ground = { folder, origin, size, keys, pending: waiting.entries }
  const others = (of: string) => trust.others(of)
  const receipts = await auditReceipts(request.receipts, ground, others, faults)
  return {
    ...NOTHING,
    origin,
    size,
    root: toHex(root),
    signers: opened.keys.map(({ name, id }) => `${name}+${id}`),
    keys: tally?.keys(keys) ?? [],
    kinds: tally?.kinds ?? {},
    ...tally?.span,
    erased: tally?.erased(() => erasuresSince(request, opened)) ?? [],
    pending: waiting.count,
    guards,
    voices,
    witnessed,
    receipts,
    ...faults.result(),
  }
}

/** Verifies leaves, tiles and the signed root; returns whether the tiles match the entries. */
async function auditTiles(
  { folder, quick, help }: AuditRequest,
  { checkpoint: { size, root } }: TrustedCheckpoint,
  faults: Faults,
): Promise<boolean> {
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
    if (isSame(audited.root, root)) return true
    const message = `the entries hash to the root ${toHex(audited.root)}, but ${toHex(root)} was signed`
    faults.add('ledger/root-differs', message, { file: 'checkpoint' })
    return true
  }
  const { fault, tile, index } = audited
  const why = problem instanceof WaybillError ? `: ${problem.message}` : ''
  const place = { file: tilePath(tile), ...(index !== undefined && { index }) }
  const code = index === undefined ? 'ledger/tile-damaged' : 'ledger/entry-not-in-tree'
  faults.add(code, `${fault}${why}`, place)
  return false
}

async function auditGuards(
  { guards, folder, trust }: AuditRequest,
  published: Checkpoint,
  isDamaged: boolean,
  tell: TellFinding,
): Promise<LogAudit['guards']> {
  const sound: { file: string; size: number }[] = []
  for (const file of guards(published.origin)) {
    const guarded = await auditGuard(file, { folder, published, trust, isDamaged })
    if (!guarded) continue
    if ('code' in guarded) tell({ ...guarded, found: guarded.code, file })
    else sound.push(guarded)
  }
  return sound
}

/** Verifies the entries, one by one and together. */
async function auditAll(
  { folder, help }: AuditRequest,
  opened: TrustedCheckpoint,
  { index, audit }: Entries,
  faults: Faults,
  tell: TellFinding,
): Promise<Tally> {
  const { size } = opened.checkpoint
  const tally = new Tally(index, faults)
  await audit.finish(report => {
    tally.add(report)
    help.progress?.(report.to, size)
  })
  tally.end(folder, size, tell)
  const ended = whyEnded(opened, tally.span.until)
  if (ended) faults.add(ended.code, ended.detail, { file: 'checkpoint' })
  return tally
}

/** Verifies the log's own state; keeps promised entries only if receipts need them. */
async function auditState(
  { folder, isCopy, quick, receipts, trust }: AuditRequest,
  { checkpoint: { origin, size } }: TrustedCheckpoint,
  faults: Faults,
  tell: TellFinding,
): Promise<{ readonly count: number; readonly entries: readonly PendingEntry[] }> {
  const entries: PendingEntry[] = []
  const keyring = new Keyring(trust.entries(origin), sha256)
  let count = 0
  const findings = auditLogState(folder, { origin, size }, entry => {
    count++
    const audited = auditEntry(entry, keyring)
    if (!quick && 'code' in audited) faults.add(audited.code, audited.detail, audited)
    if (receipts.length > 0) entries.push(entry)
  })
  // A copy need not hold the state file.
  for await (const finding of findings)
    if (!quick && (finding.found !== 'ledger/state-missing' || !isCopy)) tell(finding)
  return { count, entries }
}
