import { WaybillError } from '../error.ts'
import { digestBytes, entryAt, mustBeAsRecorded } from '../governance/index.ts'
import { bundleOf, ED25519, inclusionProof, logIdOf, parseNote } from '../ledger/index.ts'
import { leafAt } from './log/leaf.ts'
import { findOne, openPublished, type PublishedLog } from './log/one-entry.ts'
import { writeOut } from './log/write-out.ts'
import type { LogBundleOutput } from './log-bundle/output.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'

const input = {
  type: 'object',
  required: ['entry'],
  properties: {
    entry: {
      type: 'string',
      positional: true,
      placeholder: 'id',
      description:
        'The entry: its index, its digest, a handoff id for its latest answer, or an id unique to it.',
    },
    out: {
      type: 'string',
      path: true,
      makes: true,
      placeholder: 'file',
      description: 'Write the bundle to a new file (default: print it).',
    },
  },
} as const

/** Exports an entry as a Sigstore bundle. */
export default defineOperation({
  name: 'log bundle',
  summary: 'Export an entry as a Sigstore bundle',
  description:
    'A bundle (v0.3) has the signed in-toto statement, its leaf, the inclusion proof and the signed checkpoint. ' +
    'With the keys of the log and its gateway (waybill log checkpoint --key), other tools verify it offline. ' +
    'Writes only the file given with --out. An erased entry cannot be exported.',
  examples: [
    { command: 'waybill log bundle 17 --out 17.sigstore.json', does: 'export an entry' },
    {
      command: 'waybill log bundle 550e8400-e29b-41d4-a716-446655440000',
      does: 'print the last answer to a handoff',
    },
  ],
  actor: 'any',
  effect: 'write',
  input,
  run: bundle,
})

async function bundle(
  { entry: word, out }: TypeOf<typeof input>,
  app: App,
): Promise<LogBundleOutput> {
  const opened = await openPublished(app)
  const { log, signed, origin } = opened
  const index = await findOne(log, word)
  const entry = mustBeAsRecorded(await entryAt(log, index), index)
  if (entry.is === 'erased')
    throw new WaybillError('not-found', `the content of entry ${index} was erased`, {
      hint: 'waybill log prove can still prove that the entry existed',
    })
  const { size } = signed.checkpoint
  const made = bundleOf({
    envelope: entry.envelope,
    leaf: await leafAt(log, size, index),
    index,
    proof: await inclusionProof(digestBytes, size, index, tile => log.tile(tile)),
    note: signed.note,
    logId: idOf(opened),
  })
  if ('fault' in made) throw new WaybillError('ledger-tampered', `entry ${index}: ${made.fault}`)
  const text = `${JSON.stringify(made)}\n`
  return { index, digest: entry.digest, origin, bundle: made, file: writeOut(out, text, app) }
}

/** Returns the Sigstore log id of the key that signed the checkpoint. */
function idOf({ trust, origin, signed }: PublishedLog): Uint8Array {
  const note = parseNote(signed.note)
  const signatures = 'fault' in note ? [] : note.signatures
  const own = trust
    .of('log', origin)
    .find(({ publicKey }) =>
      signatures.some(({ name, id }) => publicKey.note?.name === name && publicKey.note.id === id),
    )
  if (!own)
    throw new WaybillError('ledger-tampered', 'the checkpoint is not signed by a key of the log')
  const publicKey = own.publicKey.der.slice(-32)
  return logIdOf(digestBytes, { name: origin, type: ED25519, publicKey })
}
