import { existsSync } from 'node:fs'
import { relative, resolve, sep } from 'node:path'
import { WaybillError } from '../error.ts'
import {
  type AuditTrust,
  auditLog,
  auditPromises,
  auditTrustIn,
  auditTrustOf,
  findLogToVerify,
  guardFiles,
  ledgerFolder,
  logHere,
  originalOf,
  type ReceiptGiven,
  readTrust,
  requireLogKey,
} from '../governance/index.ts'
import { isSealed, readSeal } from '../ledger/index.ts'
import { type Config, loadConfig } from '../workspace/index.ts'
import { storageOf } from './log/storage.ts'
import type { LogVerifyOutput } from './log-verify/output.ts'
import { readReceipt } from './log-verify/receipt.ts'
import { outputOf } from './log-verify/report.ts'
import { tableOf, withSnapshot } from './log-verify/snapshot.ts'
import { policyOf } from './log-witness/policy.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'

const input = {
  type: 'object',
  properties: {
    ledger: {
      type: 'string',
      path: true,
      placeholder: 'folder',
      description: 'The folder of a log, such as a copy (default: the log of this repository).',
    },
    key: {
      type: 'array',
      items: { type: 'string' },
      placeholder: 'key',
      description:
        'Trust only these keys: the verifier key of the log, and the public keys of its gateway.',
    },
    policy: {
      type: 'string',
      path: true,
      placeholder: 'file',
      description:
        'Fail unless the quorum of this witness policy is met (default: only report that of waybill.yaml).',
    },
    quick: {
      type: 'boolean',
      description: 'Verify only the tree and the checkpoints, not the entries.',
    },
    senders: {
      type: 'boolean',
      description: 'Also verify the signature of the sender of every accepted handoff (slow).',
    },
    receipt: {
      type: 'array',
      items: { type: 'string' },
      path: true,
      placeholder: 'file',
      description:
        'Also verify these receipts: that the log has the promised entry, or for another log, its signature.',
    },
  },
} as const

/** Verifies a log by recomputing it. */
export default defineOperation({
  name: 'log verify',
  summary: 'Verify the log: its tree, entries, signatures, checkpoints and index',
  description:
    'Recomputes all tiles and the root, and verifies the checkpoint and its copies outside the log, and for each ' +
    'entry its leaf, content, signature, time and key; also the signatures of people. Reports erased entries as ' +
    'erased. Reports the first bad entry, then the others. --ledger with --key verifies a copy without this ' +
    'repository. A receipt of another gateway listed in waybill.yaml is verified without its log. If --key has ' +
    'only gateway keys, verifies only receipts. Writes nothing. Exits with 1 when an error is found.',
  examples: [
    { command: 'waybill log verify', does: 'verify the log of this repository' },
    { command: 'waybill log verify --quick', does: 'verify only the tree and the checkpoints' },
    {
      command: 'waybill log verify --senders',
      does: 'also verify the signatures of senders',
    },
    {
      command: 'waybill log verify --ledger copy --key example.org/log+1a2b3c4d+AQ… MFkwEwYH…',
      does: 'verify a copy with only the keys of its log and gateway',
    },
    {
      command: 'waybill log verify --receipt 550e8400-e29b-41d4-a716-446655440000.receipt.json',
      does: 'verify a receipt',
    },
    {
      command: 'waybill log verify --key MFkwEwYH… --receipt inbox/*.receipt.json',
      does: 'verify receipts with the key of their gateway',
    },
  ],
  actor: 'any',
  effect: 'read',
  input,
  run: verify,
  failed: ({ verified }) => !verified,
})

async function verify(given: Input, app: App): Promise<LogVerifyOutput> {
  const { root, cwd } = app
  const { ledger, key, quick = false, senders = false } = given
  const isOwn = ledger === undefined
  mustAgree(given)
  const trust = key && key.length > 0 ? auditTrustIn(key) : await trustHere(app, isOwn)
  const receipts = await Promise.all((given.receipt ?? []).map(path => readReceipt(path, app)))
  if (isOwn && receipts.length > 0 && trust.checkpoints.length === 0)
    return outputOf(await auditPromises(receipts, trust), { ledger: null, quick, senders, root })
  const wanted: Wanted = { given, trust: requireLogKey(trust), receipts }
  const config = isOwn ? await loadConfig(root) : {}
  if (config.ledger === 'postgres')
    return withSnapshot(app, config, async folder =>
      outputOf(await audit(folder, wanted, app), {
        ledger: 'postgres',
        quick,
        senders,
        root,
        fileOf: tableOf,
      }),
    )
  const folder = isOwn ? ledgerFolder(root) : resolve(cwd, ledger)
  if (isOwn && readSeal(folder)) throw isSealed(folder)
  if (isOwn && !existsSync(folder)) await refuseGone(app, config)
  const shown = relative(root, folder).split(sep).join('/')
  const audited = await audit(folder, wanted, app)
  const name = shown.startsWith('..') ? folder : shown || '.'
  return outputOf(audited, { ledger: name, quick, senders, root })
}

function mustAgree({ quick, senders, key, ledger }: Input): void {
  if (!senders || !(quick || key || ledger !== undefined)) return
  throw quick
    ? new WaybillError('usage', '--quick skips the entries that --senders verifies', {
        hint: 'pass only one of them',
      })
    : new WaybillError('usage', '--senders needs the keys of the agents in this log', {
        hint: 'run it where waybill.yaml lists them under trust:, without --key and --ledger',
      })
}

/** Throws if the log of this repository existed and is missing. */
async function refuseGone(app: App, config: Config): Promise<void> {
  const { root, stateHome } = app
  const storage = storageOf(app, config)
  const origin = await logHere(root, readTrust(config), storage)
  if (origin !== undefined) await findLogToVerify(root, origin, storage, stateHome)
}

type Input = TypeOf<typeof input>

interface Wanted {
  readonly given: Input
  readonly trust: AuditTrust
  readonly receipts: readonly ReceiptGiven[]
}

async function audit(folder: string, { given, trust, receipts }: Wanted, app: App) {
  const isOwn = given.ledger === undefined
  const witnesses = await witnessesWanted(given, app)
  return auditLog({
    folder,
    trust,
    guards: origin => (isOwn ? guardFiles(app.root, origin, app.stateHome) : []),
    ...(isOwn && { original: origin => originalOf(app.root, origin, app.stateHome) }),
    quick: given.quick ?? false,
    senders: given.senders ?? false,
    isCopy: !isOwn,
    receipts,
    ...(witnesses && { witnesses }),
    help: helpFrom(app),
  })
}

function helpFrom({ worker, signal, progress }: App) {
  return {
    ...(worker && { worker: () => worker('audit') }),
    ...(signal && { signal }),
    ...(progress && {
      progress: (done: number, total: number) => progress(done, total, 'entries'),
    }),
  }
}

/** Returns the witness policy: one given with --policy must be met, a configured one is only reported. */
async function witnessesWanted({ policy, ledger, key }: Input, app: App) {
  const isOwn = ledger === undefined && key === undefined
  const config = isOwn && policy === undefined ? await loadConfig(app.root) : {}
  const found = policyOf(policy, config, app)
  return found && { policy: found.policy, required: policy !== undefined }
}

/** Returns the configured trust; a copy may be of any configured log. */
async function trustHere(app: App, isOwn: boolean): Promise<AuditTrust> {
  const config = await loadConfig(app.root)
  const trust = readTrust(config)
  const own = isOwn ? await logHere(app.root, trust, storageOf(app, config)) : undefined
  const made = auditTrustOf(trust, own)
  if (made.checkpoints.length > 0) return made
  throw new WaybillError('configuration', 'no trusted key of a log', {
    hint: 'run waybill init to create keys and list them in waybill.yaml, or pass keys with --key',
  })
}
