import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { WaybillError } from '../error.ts'
import { type SentHandoff, send as sendHandoff } from '../governance/index.ts'
import { withDecisionContext } from './gateway/open.ts'
import { fromRoot, toldOf } from './gateway/passed.ts'
import { type GatewaySource, readSource } from './gateway/source.ts'
import { folderFor, prepareFolder, writeNew } from './gateway/write.ts'
import { rulesInForce } from './in-force/rules.ts'
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
      description: 'The draft of the handoff, JSON or YAML; - reads standard input.',
    },
    to: {
      type: 'string',
      path: true,
      makes: true,
      placeholder: 'folder',
      description: 'The folder for the handoff and envelope (default: that of the draft).',
    },
    previous: {
      type: 'string',
      placeholder: 'sha256',
      description: 'The digest of the previous handoff in the conversation.',
    },
  },
} as const

/** Completes a draft, checks it as its receiver will, records and signs it. */
export default defineOperation({
  name: 'send',
  summary: 'Complete, check, record and sign a handoff',
  description:
    'Fills in what can be computed: id, time, type, version and prompt hash of both agents, empty state lists and the ' +
    'attestation. Adds the standing rules in force to the constraints. Values in the draft are kept, and refused when ' +
    'they are wrong. A handoff that would not be accepted is not sent, and the refusal is recorded. Writes the handoff ' +
    'and its signed envelope as <handoff_id>.json and <handoff_id>.dsse.json; overwrites nothing. Exits with 1 unless ' +
    'the handoff is sent.',
  examples: [
    { command: 'waybill send drafts/analysis.yaml', does: 'send it; writes two files next to it' },
    {
      command: 'waybill send drafts/analysis.yaml --to outbox',
      does: 'write them to another folder',
    },
    { command: 'generate-draft | waybill send - --to outbox', does: 'read the draft from a pipe' },
  ],
  actor: 'any',
  effect: 'write',
  input,
  run: send,
  // The draft is not what was sent.
  forAgents: output => ({ ...output, path: output.document ?? output.path }),
  failed: ({ answer }) => answer !== 'sent',
})

const DIGEST = /^[0-9a-f]{64}$/

async function send(given: TypeOf<typeof input>, app: App): Promise<SendOutput> {
  const { path, to, previous } = given
  if (previous !== undefined && !DIGEST.test(previous)) {
    throw new WaybillError('usage', '--previous must be a SHA-256 in lower-case hex', {
      hint: 'use the digest of a handoff from its envelope or log entry',
    })
  }
  const source = await readSource(path, app)
  const folder = folderFor(to, source.file, app)
  if (folder === undefined) {
    throw new WaybillError('usage', 'standard input needs --to <folder>', {
      hint: 'name the folder to write the handoff to: --to <folder>',
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
  const rules = await rulesInForce(app)
  const { sent, origin } = await withDecisionContext(app, async decisionContext => ({
    sent: await sendHandoff({ read, bytes, previous, rules }, decisionContext),
    origin: decisionContext.gateway.origin,
  }))
  // Send nothing before a published checkpoint covers it.
  const passed = toldOf(sent, origin, file ?? path, app)
  const note = sent.answer === 'needs-input' && idOf(read?.value) === undefined && NAMELESS
  return {
    answer: sent.answer,
    ...passed,
    ...write(sent, folder, app),
    ...(sent.made && sent.rulesAdded > 0 && { rulesAdded: sent.rulesAdded }),
    ...(note && { note }),
  }
}

const NAMELESS =
  'the draft has no handoff_id: add one (a UUID, version 4), since an approval needs an id'

function idOf(draft: unknown): unknown {
  return typeof draft === 'object' && draft !== null && 'handoff_id' in draft
    ? draft.handoff_id
    : undefined
}

/** Checks before recording, since an id that was recorded as sent cannot be sent again. */
function refuseOverwriting(folder: string, draft: unknown): void {
  const id = idOf(draft)
  if (typeof id !== 'string' || /[^0-9a-f-]/.test(id)) return
  for (const name of [`${id}.json`, `${id}.dsse.json`]) {
    if (!existsSync(join(folder, name))) continue
    throw new WaybillError('exists', `${name} exists already and was not overwritten`, {
      hint: 'remove the id from the draft to get a new one, or name another folder with --to',
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
  // Write the envelope first: programs that wait for the document need it.
  writeNew(place('.dsse.json'), `${envelope}\n`)
  writeNew(place('.json'), `${JSON.stringify(handoff, null, 2)}\n`)
  return {
    document: fromRoot(place('.json'), app),
    envelope: fromRoot(place('.dsse.json'), app),
  }
}
