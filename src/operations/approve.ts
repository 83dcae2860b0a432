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
        'The document, JSON or YAML (- reads standard input), or the id of one that was received and waits.',
    },
    by: { type: 'string', placeholder: 'person', description: 'Who approves it.' },
    why: { type: 'string', placeholder: 'reason', description: 'On what grounds.' },
    key: {
      type: 'string',
      path: true,
      placeholder: 'file',
      description: 'The key of that person, an SSH key or a P-256 key, listed under trust.',
    },
    reject: {
      type: 'boolean',
      description: 'Say no: the handoff is refused until the same person approves it.',
    },
    dryRun: { type: 'boolean', description: 'Show what would be approved, and record nothing.' },
  },
} as const

/** Records that a person approves a handoff which the policies let through only then. */
export default defineOperation({
  name: 'approve',
  summary: 'Approve a handoff that waits for it, or reject it: state who says so, and why',
  description:
    'Policies may ask for the approval of a person by name (context.approvals). What is approved is exactly one ' +
    'document: the statement is signed over the digest of its canonical JSON and recorded, the next receive finds it, ' +
    'and whoever changes the document has no approval. A draft may be approved before it is sent, if it states its ' +
    'handoff_id; that also counts when this installation receives what was made of it. The last word of a person ' +
    'counts: after a no the document is refused, whatever the policies say, until that person says yes. A mere name is taken only where waybill.yaml says people: claimed.',
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
      does: 'reject what was received under an id',
    },
  ],
  // A person stands for it.
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
  message: 'somebody has to stand for it, and say why',
  hint: 'name who, and on what grounds: --by <who> --why <reason>; --dry-run shows what it is about',
}

async function readDocument(path: string, app: App): Promise<Approvable> {
  const { read } = await readSource(path, app)
  const isReadable = read !== undefined && read.document.faults.length === 0
  const about = isReadable ? approvableIn(read.value) : undefined
  if (about) return about
  throw new WaybillError('usage', `${quote(path)} is not one handoff that says which it is`, {
    hint: 'see waybill check; a draft needs a handoff_id (a UUID of version 4) before it can be approved',
  })
}

async function waitingOne(id: string, { log }: Gateway): Promise<Approvable> {
  const [one, another] = await waitingUnder(log, id)
  if (!one) {
    throw new WaybillError('not-found', `nothing that was received as ${id} waits for input`, {
      hint: 'name the document itself',
    })
  }
  if (!another) return one
  throw new WaybillError('conflict', `several documents were received as ${id}, and wait`, {
    hint: 'name the document that is meant',
  })
}
