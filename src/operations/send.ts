import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { WaybillError } from '../error.ts'
import { type SentHandoff, send as sendHandoff } from '../governance/index.ts'
import { withDecisionContext } from './gateway/open.ts'
import { fromRoot, toldOf } from './gateway/passed.ts'
import { type GatewaySource, readSource } from './gateway/source.ts'
import { folderFor, prepareFolder, writeNew } from './gateway/write.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'
import type { SendOutput } from './send/output.ts'

const input = {
  type: 'object',
  required: ['path'],
  properties: {
    path: {
      type: 'string',
      positional: true,
      path: true,
      description: 'The draft of a handoff, JSON or YAML; - reads standard input.',
    },
    to: {
      type: 'string',
      path: true,
      makes: true,
      placeholder: 'folder',
      description: 'Where handoff and envelope are written (default: beside the draft).',
    },
    previous: {
      type: 'string',
      placeholder: 'sha256',
      description: 'Digest of the handoff before this one in the conversation.',
    },
  },
} as const

/** Sends a handoff: completes a draft, checks it as its receiver will, records it and signs it. */
export default defineOperation({
  name: 'send',
  summary: 'Complete a draft of a handoff, check it, record it and sign it',
  description:
    'A draft may leave out what can be computed: id, time, type, version and prompt hash of both agents, empty lists of ' +
    'the state, and the attestation. What it states stays as it is, and is refused where it is not true. What would not ' +
    'be accepted is not sent, and the refusal is recorded. The handoff and its signed envelope are written as ' +
    '<handoff_id>.json and <handoff_id>.dsse.json; nothing is overwritten.',
  examples: [
    { command: 'waybill send drafts/analysis.yaml', does: 'send it; two files appear beside it' },
    { command: 'waybill send drafts/analysis.yaml --to outbox', does: 'write them elsewhere' },
    { command: 'generate-draft | waybill send - --to outbox', does: 'read the draft from a pipe' },
  ],
  actor: 'any',
  effect: 'write',
  input,
  run: send,
  failed: ({ answer }) => answer !== 'sent',
})

const DIGEST = /^[0-9a-f]{64}$/

async function send(given: TypeOf<typeof input>, app: App): Promise<SendOutput> {
  const { path, to, previous } = given
  if (previous !== undefined && !DIGEST.test(previous)) {
    throw new WaybillError('usage', '--previous is no SHA-256 in lower-case hex', {
      hint: 'name the digest of a handoff, as its envelope or its entry in the log states it',
    })
  }
  const source = await readSource(path, app)
  const folder = folderFor(to, source.file, app)
  if (folder === undefined) {
    throw new WaybillError('usage', 'nobody says where the handoff is to be written', {
      hint: 'name a folder with --to: standard input stands in none',
    })
  }
  refuseOverwriting(folder, source.read?.value)
  const tidy = prepareFolder(folder)
  try {
    return await sendInto(folder, source, given, app)
  } finally {
    tidy()
  }
}

async function sendInto(
  folder: string,
  { read, bytes, file }: GatewaySource,
  { path, previous }: TypeOf<typeof input>,
  app: App,
): Promise<SendOutput> {
  const { sent, origin } = await withDecisionContext(app, async decisionContext => ({
    sent: await sendHandoff({ read, bytes, previous }, decisionContext),
    origin: decisionContext.gateway.origin,
  }))
  // Nothing leaves before it stands under a checkpoint that others can see.
  const told = toldOf(sent, origin, file ?? path, app)
  const note = sent.answer === 'needs-input' && idOf(read?.value) === undefined && NAMELESS
  return { answer: sent.answer, ...told, ...write(sent, folder, app), ...(note && { note }) }
}

const NAMELESS =
  'the draft has no handoff_id: give it one (a UUID of version 4), for a person can only approve what has an id'

function idOf(draft: unknown): unknown {
  return typeof draft === 'object' && draft !== null && 'handoff_id' in draft
    ? draft.handoff_id
    : undefined
}

/** An id that is recorded as sent cannot be sent again, so what could not be written is found out before. */
function refuseOverwriting(folder: string, draft: unknown): void {
  const id = idOf(draft)
  if (typeof id !== 'string' || /[^0-9a-f-]/.test(id)) return
  for (const name of [`${id}.json`, `${id}.dsse.json`]) {
    if (!existsSync(join(folder, name))) continue
    throw new WaybillError('exists', `${name} exists already, and is not overwritten`, {
      hint: 'leave the id out of the draft, and a new one is made; or name another folder with --to',
    })
  }
}

function write(
  { made }: SentHandoff,
  folder: string,
  app: App,
): Pick<SendOutput, 'document' | 'envelope'> {
  if (!made) return { document: null, envelope: null }
  const { handoff, envelope } = made
  const place = (ending: string) => join(folder, `${handoff.handoff_id}${ending}`)
  // Whoever waits for documents finds the envelope of each one there already.
  writeNew(place('.dsse.json'), `${envelope}\n`)
  writeNew(place('.json'), `${JSON.stringify(handoff, null, 2)}\n`)
  return {
    document: fromRoot(place('.json'), app),
    envelope: fromRoot(place('.dsse.json'), app),
  }
}
