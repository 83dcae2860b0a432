import { quote } from '../contract/index.ts'
import { WaybillError } from '../error.ts'
import {
  type AsRecorded,
  erasureText,
  findErasure,
  type Gateway,
  indicesOf,
  mustBeAsRecorded,
  putTombstone,
  type ReadEntry,
  recordErasure,
  refuseKept,
  removeRecordFiles,
  requirePerson,
  storedAt,
  summaryOf,
} from '../governance/index.ts'
import { loadConfig } from '../workspace/index.ts'
import { withGateway } from './gateway/open.ts'
import { fromRoot } from './gateway/passed.ts'
import { statedIn, tellUncommitted } from './gateway/stated.ts'
import { filesBeside, holdingToo, keptIds, NOT_ERASED, sealedHolding } from './log-erase/left.ts'
import type { LogEraseOutput } from './log-erase/output.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'

const input = {
  type: 'object',
  required: ['digest'],
  properties: {
    digest: {
      type: 'string',
      positional: true,
      description: 'The entry: its digest or its index, as waybill log show tells them.',
    },
    by: { type: 'string', placeholder: 'person', description: 'Who erases it.' },
    why: { type: 'string', placeholder: 'reason', description: 'Why; this is kept for good.' },
    key: {
      type: 'string',
      path: true,
      placeholder: 'file',
      description: 'The key of that person, an SSH key or a P-256 key, listed under trust.',
    },
  },
} as const

/** Erases what an entry says, and leaves that there was one: no proof breaks, and its id stays taken. */
export default defineOperation({
  name: 'log erase',
  summary: 'Erase the content of an entry, such as a leaked secret, without breaking a proof',
  description:
    'A person states it with their key, and that is an entry of its own, before anything is erased. Then a tombstone ' +
    'takes the place of the content: it keeps ids, keys and digest of the entry, and who erased it, when and why. The ' +
    'tree stays, so proofs hold; and an accepted id stays taken, so the handoff cannot be replayed. Only handoffs and ' +
    'records can be erased. What was not touched, such as documents and Git, is told. A mere name is taken only where ' +
    'waybill.yaml says people: claimed.',
  examples: [
    {
      command:
        'waybill log erase 17 --by ada --why "holds a customer name" --key ~/.ssh/id_ed25519',
      does: 'erase the content of an entry, signed',
    },
    { command: 'waybill log show --kind erasure', does: 'see what was erased' },
  ],
  // A person stands for what nobody can read any more.
  actor: 'human',
  effect: 'write',
  input,
  run: erase,
})

type Input = TypeOf<typeof input>
type Kept = Extract<ReadEntry, { is: 'entry' }>

async function erase(given: Input, app: App): Promise<LogEraseOutput> {
  const config = await loadConfig(app.root)
  return withGateway(app, config, async gateway => {
    const { index, entry } = await mustFind(given.digest, gateway)
    if (entry.is === 'erased') return asErasedBefore(index, entry, gateway, app)
    refuseKept(entry, index)
    await tellUncommitted(gateway, app)
    // Whoever was interrupted between the statement and the deed has stated it already.
    const stated = (await findErasure(gateway.log, entry.digest))
      ? { keyid: null, receipt: null }
      : await state(given, index, entry, gateway)
    const recorded = await findErasure(gateway.log, entry.digest)
    if (!recorded) throw new WaybillError('internal', 'the erasure was recorded, and is not found')
    app.recording?.()
    // The tombstone says what the log does, in the same words.
    await putTombstone(gateway, index, entry, recorded).catch(error => {
      throw unfinished(error, index)
    })
    const { by, standing, at, reason } = recorded
    const told = { by, standing, at, reason, ...stated }
    return { outcome: 'erased', ...told, ...(await restOf(index, entry, gateway, app)) }
  })
}

/** What has been stated is not stated again: whoever mends what stood in the way only asks once more. */
function unfinished(error: unknown, index: number): unknown {
  if (!(error instanceof WaybillError)) return error
  return new WaybillError(
    error.code,
    `entry ${index} still holds what is to be erased: ${error.message}`,
    {
      hint: `${error.hint ? `${error.hint}; ` : ''}who erases it, and why, is recorded: afterwards finish it with waybill log erase ${index}`,
      cause: error,
    },
  )
}

/** The one entry that is meant, by its index or its digest: what is erased is never guessed. */
async function mustFind(
  word: string,
  { log }: Gateway,
): Promise<{ index: number; entry: AsRecorded }> {
  const indices = await indicesOf(log, word)
  const digest = word.slice(word.lastIndexOf('#') + 1)
  const named: { index: number; entry: ReadEntry }[] = []
  for (const index of indices) {
    const entry = await storedAt(log, index)
    const isNamed = entry.is !== 'unreadable' && entry.digest?.startsWith(digest)
    if (word === String(index) || isNamed) named.push({ index, entry })
  }
  const [one, another] = named
  // Over an entry that was changed nothing is written: it shows the change.
  if (one && !another) return { index: one.index, entry: mustBeAsRecorded(one.entry, one.index) }
  const hint =
    indices.length > 0
      ? `entries about it: ${indices.slice(-5).join(', ')}; name one by its index or its digest`
      : 'waybill log show lists the entries with their indices'
  throw new WaybillError('not-found', `no one entry is called ${quote(word)}`, { hint })
}

/** Records that a person erases it: before anything is gone. */
async function state(
  given: Input,
  index: number,
  entry: Kept,
  gateway: Gateway,
): Promise<Pick<LogEraseOutput, 'keyid' | 'receipt'>> {
  const { by, why } = statedIn(given, {
    message: 'somebody has to stand for what is erased, and say why',
    hint: 'name who erases it and the reason: --by <who> --why <reason>',
  })
  const at = gateway.time()
  const erasure = { digest: entry.digest, index, by, why }
  const text = erasureText(erasure, gateway.origin, at)
  const bytes = new TextEncoder().encode(text)
  const person = await requirePerson(gateway, { act: 'erase', by, bytes, keyFile: given.key }, at)
  const receipt = await recordErasure(erasure, entry, person, text, gateway)
  return { keyid: person.standing === 'proved' ? person.keyid : null, receipt }
}

async function asErasedBefore(
  index: number,
  entry: Extract<ReadEntry, { is: 'erased' }>,
  gateway: Gateway,
  app: App,
): Promise<LogEraseOutput> {
  const { by, at, reason } = entry.tombstone
  const standing = (await findErasure(gateway.log, entry.digest))?.standing ?? null
  const told = { by, standing, at, reason, keyid: null, receipt: null }
  return { outcome: 'was-erased', ...told, ...(await restOf(index, entry, gateway, app)) }
}

/** What is removed with an entry, and what is left of it elsewhere. */
async function restOf(index: number, entry: AsRecorded, { log, origin }: Gateway, app: App) {
  const { ids, kind } = summaryOf(index, entry)
  const removed = removeRecordFiles(app.root, ids).map(file => fromRoot(file, app))
  return {
    ...{ origin, index, digest: entry.digest, kind, removed },
    alsoHolding: await holdingToo(log, index, ids),
    beside: filesBeside(app.root, ids),
    notErased: [...keptIds(ids), ...sealedHolding(app.root, index), ...NOT_ERASED],
  }
}
