import { quote } from '../contract/index.ts'
import { WaybillError } from '../error.ts'
import {
  type Approvable,
  approvableIn,
  approvalText,
  type Gateway,
  recordApproval,
  requirePerson,
  waitingUnder,
} from '../governance/index.ts'
import { loadConfig } from '../workspace/index.ts'
import type { ApproveOutput } from './approve/output.ts'
import { withGateway } from './gateway/open.ts'
import { readSource } from './gateway/source.ts'
import { statedIn, tellUncommitted } from './gateway/stated.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'

const input = {
  type: 'object',
  required: ['handoff'],
  properties: {
    handoff: {
      type: 'string',
      positional: true,
      path: true,
      description:
        'The handoff, JSON or YAML (- reads standard input), or the id of a received one that waits for approval.',
    },
    by: { type: 'string', placeholder: 'person', description: 'The person who approves it.' },
    why: { type: 'string', placeholder: 'reason', description: 'The reason.' },
    key: {
      type: 'string',
      path: true,
      placeholder: 'file',
      description: 'The signing key of that person (SSH or P-256), listed under trust.',
    },
    reject: {
      type: 'boolean',
      description: 'Reject the handoff: it is refused until the same person approves it.',
    },
    dryRun: { type: 'boolean', description: 'Show what would be approved, and record nothing.' },
  },
} as const

/** Records a person's approval or rejection of a handoff. */
export default defineOperation({
  name: 'approve',
  summary: 'Approve or reject a handoff, with a name and a reason',
  description:
    'Policies can require the approval of a named person (context.approvals). Signs a statement over the digest of ' +
    "the document's canonical JSON and records it in the log; the next receive finds it. A changed document needs " +
    'a new approval. A draft with a handoff_id may be approved before it is sent. The latest decision of a person ' +
    'counts: after a rejection the document is refused until that person approves it. A name without a key is ' +
    'accepted only if waybill.yaml says people: claimed.',
  examples: [
    {
      command: 'waybill approve drafts/analysis.json --dry-run',
      does: 'see what would be approved',
    },
    {
      command:
        'waybill approve drafts/analysis.json --by ada --why "figures compared" --key ~/.ssh/id_ed25519',
      does: 'approve it, signed',
    },
    {
      command:
        'waybill approve 550e8400-e29b-41d4-a716-446655440000 --reject --by ada --why "wrong customer"',
      does: 'reject a received handoff by its id',
    },
  ],
  actor: 'human',
  effect: 'write',
  input,
  run: approve,
})

async function approve(given: TypeOf<typeof input>, app: App): Promise<ApproveOutput> {
  const { handoff: named, key: keyFile, reject = false, dryRun = false } = given
  const { by, why } = dryRun ? { by: '', why: '' } : statedIn(given, LACKING)
  const decision = reject ? 'rejected' : 'approved'
  const document = UUID.test(named) ? undefined : await readDocument(named, app)
  const config = await loadConfig(app.root)
  return withGateway(app, config, async gateway => {
    const about = document ?? (await waitingOne(named, gateway))
    const nothing = { by: null, standing: null, keyid: null, receipt: null }
    if (dryRun) return { outcome: 'would-record', decision, ...about, ...nothing }
    const approval = { ...about, decision, by, why } as const
    const at = gateway.time()
    const text = approvalText(approval, gateway.origin, at)
    const bytes = new TextEncoder().encode(text)
    const act = reject ? 'reject' : 'approve'
    const person = await requirePerson(gateway, { act, by, bytes, keyFile }, at)
    await tellUncommitted(gateway, app)
    const receipt = await recordApproval(approval, person, text, gateway)
    const keyid = person.standing === 'proved' ? person.keyid : null
    const { standing } = person
    return { outcome: 'recorded', decision, ...about, by, standing, keyid, receipt }
  })
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

const LACKING = {
  message: 'approval needs --by <name> and --why <reason>',
  hint: 'name the person and the reason; --dry-run shows what would be approved',
}

async function readDocument(path: string, app: App): Promise<Approvable> {
  const { read } = await readSource(path, app)
  const isReadable = read !== undefined && read.document.faults.length === 0
  const about = isReadable ? approvableIn(read.value) : undefined
  if (about) return about
  throw new WaybillError('usage', `${quote(path)} is not a single handoff with an id`, {
    hint: 'run waybill check; a draft needs a handoff_id (a version 4 UUID) before it can be approved',
  })
}

async function waitingOne(id: string, { log }: Gateway): Promise<Approvable> {
  const [one, another] = await waitingUnder(log, id)
  if (!one) {
    throw new WaybillError('not-found', `no handoff received as ${id} waits for approval`, {
      hint: 'name the document by its path',
    })
  }
  if (!another) return one
  throw new WaybillError('conflict', `several documents received as ${id} wait for approval`, {
    hint: 'name the document by its path',
  })
}
