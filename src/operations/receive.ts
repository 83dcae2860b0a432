import { resolve } from 'node:path'
import { WaybillError } from '../error.ts'
import { type EnvelopeText, receive as receiveHandoff } from '../governance/index.ts'
import { withDecisionContext } from './gateway/open.ts'
import { fromRoot, toldOf } from './gateway/passed.ts'
import { type GatewaySource, readEnvelope, readSource } from './gateway/source.ts'
import { folderFor, prepareFolder, writeReceipt } from './gateway/write.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'
import { inbox } from './receive/inbox.ts'
import type { InboxOutput, ReceiveOutput } from './receive/output.ts'

const input = {
  type: 'object',
  properties: {
    path: {
      type: 'string',
      positional: true,
      path: true,
      description:
        'The handoff, JSON or YAML; - reads standard input. With --list a folder (default: the repository).',
    },
    list: {
      type: 'boolean',
      description: 'List what waits for the agent, with what it is asked, and receive nothing.',
    },
    envelope: {
      type: 'string',
      path: true,
      placeholder: 'file',
      description:
        'The signed envelope of the sender (default: the .dsse.json file next to the document).',
    },
    as: {
      type: 'string',
      placeholder: 'agent',
      description: 'The receiving agent; a handoff to another one is refused.',
    },
    to: {
      type: 'string',
      path: true,
      makes: true,
      placeholder: 'folder',
      description: 'The folder for the receipt (default: that of the document).',
    },
  },
} as const

const operation = defineOperation({
  name: 'receive',
  summary: 'Verify a received handoff, record the answer and write a receipt',
  description:
    'The answer is accepted, needs-input or rejected. The signature must be by a key that waybill.yaml lists for the source ' +
    'agent; the document is checked in full, with its age, id, both prompts and the policies of this repository. The answer ' +
    'is recorded in the log before it is printed, and an id is accepted only once. Run the target agent only after ' +
    'accepted. A prompt that differs from the locked one puts its agent into quarantine. The repository of the current ' +
    'folder decides, wherever the document is, and trusts only keys in its committed waybill.yaml. Exits with 1 unless ' +
    'accepted. With --list it lists the handoffs with an envelope that were not accepted yet, and records nothing.',
  examples: [
    {
      command: 'waybill receive inbox/550e8400-e29b-41d4-a716-446655440000.json',
      does: 'verify it with the envelope next to it',
    },
    {
      command: 'waybill receive in.json --envelope in.sig --as domain-02-analysis',
      does: 'name the envelope and the receiving agent',
    },
    {
      command: 'waybill receive --list --as domain-02-analysis',
      does: 'list what waits for an agent',
    },
  ],
  actor: 'any',
  effect: 'write',
  input,
  run: (given, app): Promise<ReceiveOutput | InboxOutput> =>
    given.list ? listed(given, app) : receive(given, app),
  failed: ({ answer }) => answer !== 'accepted' && answer !== 'listed',
})

function listed({ path, as, envelope, to }: TypeOf<typeof input>, app: App): Promise<InboxOutput> {
  if (envelope === undefined && to === undefined) return inbox({ path, as }, app)
  throw new WaybillError('usage', '--list receives nothing, so it takes no --envelope or --to', {
    hint: 'omit it, or receive the handoff without --list',
  })
}

type Given = TypeOf<typeof input>

/** Verifies a received handoff and records the answer before returning it; or lists what waits. */
export default operation as Omit<typeof operation, 'run'> & {
  run(input: Given & { readonly list: true }, app: App): Promise<InboxOutput>
  run(input: Given & { readonly list?: false }, app: App): Promise<ReceiveOutput>
}

async function receive(given: TypeOf<typeof input>, app: App): Promise<ReceiveOutput> {
  const { path, to } = given
  if (path === undefined) {
    throw new WaybillError('usage', 'no handoff is named', {
      hint: 'name the document; waybill receive --list shows what waits',
    })
  }
  const source = await readSource(path, app)
  const envelope = readEnvelope(given.envelope, source.file, app)
  const folder = folderFor(to, source.file, app)
  // The answer uses up the id: when no receipt can be written there, the printed answer must do.
  const tidy = to === undefined ? undefined : prepareFolder(resolve(app.cwd, to))
  try {
    return await receiveInto(folder, { ...source, envelope }, { path, as: given.as }, app)
  } finally {
    tidy?.()
  }
}

async function receiveInto(
  folder: string | undefined,
  source: GatewaySource & { readonly envelope: EnvelopeText | undefined },
  { path, as }: { readonly path: string; readonly as: string | undefined },
  app: App,
): Promise<ReceiveOutput> {
  const { read, bytes, envelope } = source
  const done = await withDecisionContext(app, async decisionContext => {
    const name = source.file && path
    const brought = { read, bytes, envelope, as, name }
    const received = await receiveHandoff(brought, decisionContext)
    const { origin, log } = decisionContext.gateway
    return { received, origin, entry: await log.content(received.receipt.index) }
  })
  const { received, origin, entry = null } = done
  const passed = toldOf(received, origin, source.file ?? path, app)
  const { answer, claims, receipt } = received
  const id = claims.handoff
  const value = { answer, handoff: id, origin, entry: entry && JSON.parse(entry), receipt }
  const kept = writeReceipt(folder, id, { index: receipt.index, value })
  return {
    answer,
    ...passed,
    ...('file' in kept
      ? { receiptFile: fromRoot(kept.file, app) }
      : { receiptFile: null, receiptNote: kept.why }),
  }
}
