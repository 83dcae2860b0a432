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
  type ReceiptGiven,
  readTrust,
  requireLogKey,
} from '../governance/index.ts'
import { isSealed, readSeal } from '../ledger/index.ts'
import { type Config, loadConfig } from '../workspace/index.ts'
import { storageOf } from './log/storage.ts'
import type { LogVerifyOutput } from './log-verify/output.ts'
import { readReceipt } from './log-verify/receipt.ts'
import { tableOf, withSnapshot } from './log-verify/snapshot.ts'
import { outputOf } from './log-verify/told.ts'
import { policyOf } from './log-witness/policy.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'

const input = {
  type: 'object',
  properties: {
    ledger: {
      type: 'string',
      path: true,
      placeholder: 'folder',
      description: 'The folder of a log, such as a copy of one (default: .waybill/ledger).',
    },
    key: {
      type: 'array',
      items: { type: 'string' },
      placeholder: 'key',
      description:
        'Trust these keys and no configuration: the verifier key of the log, and the public keys of its gateway.',
    },
    policy: {
      type: 'string',
      path: true,
      placeholder: 'file',
      description:
        'Refuse the log unless the quorum of this policy of witnesses is met (default: tell whether that of waybill.yaml is).',
    },
    quick: {
      type: 'boolean',
      description: 'Verify the tree and the checkpoints only, not the entries.',
    },
    senders: {
      type: 'boolean',
      description:
        'Verify as well what senders have signed of every accepted handoff, which takes longer than all the rest.',
    },
    receipt: {
      type: 'array',
      items: { type: 'string' },
      path: true,
      placeholder: 'file',
      description:
        'Verify as well that what these receipts promise is kept; of another log, that one of its keys has promised it.',
    },
  },
} as const

/** Verifies a log by recomputing everything that it says. */
export default defineOperation({
  name: 'log verify',
  summary: 'Verify the log: recompute the tree, every entry and its signature, and the index',
  description:
    'Every tile and the root are recomputed from the entries, the checkpoint and its copies outside the log are verified ' +
    'with trusted keys, and of each entry the leaf, the content, the signature, its time and whether its key counted ' +
    'then; of what people have stated with a key, also their signature and that it says the same. What was erased is told as erased: by whom, when and why. The first bad entry is named, then the others. A log ' +
    'in PostgreSQL is read as of one moment, and faults are named by its tables. With ' +
    '--ledger and --key it needs nothing of this repository, as for an auditor with a copy. A receipt of another gateway ' +
    'that waybill.yaml lists, such as that of a receiver, is verified without its log: who has signed the promise, and ' +
    'that the entry beside it is the promised one. Where --key gives only keys of gateways, the receipts alone are verified.',
  examples: [
    { command: 'waybill log verify', does: 'verify the log of this repository' },
    { command: 'waybill log verify --quick', does: 'the tree and the checkpoints only' },
    {
      command: 'waybill log verify --senders',
      does: 'see as well that every accepted handoff was signed by its sender',
    },
    {
      command: 'waybill log verify --ledger copy --key example.org/log+1a2b3c4d+AQ… MFkwEwYH…',
      does: 'verify a copy with the keys of the log and of its gateway alone',
    },
    {
      command: 'waybill log verify --receipt 550e8400-e29b-41d4-a716-446655440000.receipt.json',
      does: 'see whether a promise is kept',
    },
    {
      command: 'waybill log verify --key MFkwEwYH… --receipt inbox/*.receipt.json',
      does: 'verify receipts by the key of the gateway that gave them',
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
    ? new WaybillError('usage', '--quick looks at no entries, and --senders at what is in them', {
        hint: 'give one of them',
      })
    : new WaybillError('usage', '--senders needs the keys of the agents of the log that is here', {
        hint: 'verify it where waybill.yaml lists them under trust:, without --key and --ledger',
      })
}

/** A log that is gone is not one that is still to come. */
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

/** The policy that was given has to be met. The configured one is for the log here, and told of. */
async function witnessesWanted({ policy, ledger, key }: Input, app: App) {
  const isOwn = ledger === undefined && key === undefined
  const config = isOwn && policy === undefined ? await loadConfig(app.root) : {}
  const found = policyOf(policy, config, app)
  return found && { policy: found.policy, required: policy !== undefined }
}

/** Trust in what the configuration lists; a copy may be of any log that it knows. */
async function trustHere(app: App, isOwn: boolean): Promise<AuditTrust> {
  const config = await loadConfig(app.root)
  const trust = readTrust(config)
  const own = isOwn ? await logHere(app.root, trust, storageOf(app, config)) : undefined
  const made = auditTrustOf(trust, own)
  if (made.checkpoints.length > 0) return made
  throw new WaybillError('configuration', 'no key of a log is trusted here', {
    hint: 'waybill init makes keys and lists them in waybill.yaml; --key names them for this once',
  })
}
