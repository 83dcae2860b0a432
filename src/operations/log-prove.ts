import { WaybillError } from '../error.ts'
import { digestBytes, entryAt } from '../governance/index.ts'
import {
  consistencyProof,
  formatInclusionFile,
  formatWitnessRequest,
  inclusionProof,
  leafHash,
  parseLeaf,
  toBase64,
  toHex,
} from '../ledger/index.ts'
import { leafAt } from './log/leaf.ts'
import { findOne, openPublished, type PublishedLog } from './log/one-entry.ts'
import { writeOut } from './log/write-out.ts'
import type { LogProveOutput } from './log-prove/output.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'

const input = {
  type: 'object',
  properties: {
    entry: {
      type: 'string',
      positional: true,
      placeholder: 'id',
      description:
        'The entry: its index, its digest, a handoff id for its latest answer, or an id unique to it.',
    },
    from: {
      type: 'integer',
      placeholder: 'size',
      description: 'Prove instead that the log has only grown since it had this size.',
    },
    out: {
      type: 'string',
      path: true,
      makes: true,
      placeholder: 'file',
      description: 'Write the proof to a new file (default: print it).',
    },
  },
} as const

/** Proves that an entry is in the log, or that the log has only grown. */
export default defineOperation({
  name: 'log prove',
  summary: 'Prove that an entry is in the log, or that the log has only grown',
  description:
    'The proof has the path from the leaf to the root and the signed checkpoint (C2SP tlog-proof); any tool that ' +
    'knows the format verifies it offline with the leaf and the verifier key of the log. --from proves that ' +
    'nothing of an earlier log was changed or removed, in the format of witnesses (C2SP tlog-witness); --from 0 is ' +
    'a first request to a witness and proves nothing. Writes only the file given with --out.',
  examples: [
    { command: 'waybill log prove 17 --out 17.tlog-proof', does: 'prove an entry by its index' },
    {
      command: 'waybill log prove 550e8400-e29b-41d4-a716-446655440000',
      does: 'print the proof of the latest answer to a handoff',
    },
    { command: 'waybill log prove --from 17', does: 'prove that the log has only grown since' },
  ],
  actor: 'any',
  effect: 'write',
  input,
  run: prove,
})

async function prove(given: TypeOf<typeof input>, app: App): Promise<LogProveOutput> {
  const { entry, from, out } = given
  if ((entry === undefined) === (from === undefined))
    throw new WaybillError('usage', 'name either an entry or a size with --from')
  const opened = await openPublished(app)
  const proved =
    entry === undefined ? await grown(opened, from ?? 0) : await included(opened, entry)
  return { ...proved, file: writeOut(out, proved.proof, app) }
}

type Proved = Omit<LogProveOutput, 'file'>

async function included({ log, origin, signed }: PublishedLog, word: string): Promise<Proved> {
  const { size, root } = signed.checkpoint
  const index = await findOne(log, word)
  const leaf = await leafAt(log, size, index)
  const hashes = await inclusionProof(digestBytes, size, index, tile => log.tile(tile))
  const named = parseLeaf(leaf)
  return {
    proves: 'inclusion',
    origin,
    size,
    root: toHex(root),
    from: null,
    index,
    erased: (await entryAt(log, index)).is === 'erased',
    digest: 'fault' in named ? null : named.digest,
    leaf: toHex(leafHash(digestBytes, leaf)),
    hashes: hashes.map(toBase64),
    proof: formatInclusionFile({ index, proof: hashes, checkpoint: signed.note }),
  }
}

async function grown({ log, origin, signed }: PublishedLog, from: number): Promise<Proved> {
  const { size, root } = signed.checkpoint
  if (!Number.isSafeInteger(from) || from < 0)
    throw new WaybillError('usage', '--from must be the size of an earlier log, 0 or more')
  const hashes = await consistencyProof(digestBytes, from, size, tile => log.tile(tile))
  return {
    proves: 'consistency',
    origin,
    size,
    root: toHex(root),
    from,
    index: null,
    erased: false,
    digest: null,
    leaf: null,
    hashes: hashes.map(toBase64),
    proof: formatWitnessRequest({ old: from, proof: hashes, checkpoint: signed.note }),
  }
}
