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
import {
  filesNamedAfter,
  holdingToo,
  keptIds,
  NOT_ERASED,
  sealedHolding,
} from './log-erase/left.ts'
import type { LogEraseOutput } from './log-erase/output.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'

const input = {
  type: 'object',
  required: ['digest'],
  properties: {
    digest: {
      type: 'string',
      positional: true,
      description: 'The entry: its digest or its index, from waybill log show.',
    },
    by: { type: 'string', placeholder: 'person', description: 'The person who erases it.' },
    why: {
      type: 'string',
      placeholder: 'reason',
      description: 'The reason, which is kept permanently.',
    },
    key: {
      type: 'string',
      path: true,
      placeholder: 'file',
      description: 'The signing key of that person (SSH or P-256), listed under trust.',
    },
  },
} as const

/** Erases the content of an entry; proofs stay valid and its id stays taken. */
export default defineOperation({
  name: 'log erase',
  summary: 'Erase the content of a log entry, such as a leaked secret',
  description:
    'Records the signed statement of a person first, then replaces the content with a tombstone that keeps the ' +
    'ids, keys and digest of the entry, and who erased it, when and why. Proofs stay valid, and an accepted id ' +
    'stays taken, so the handoff cannot be replayed. Only handoffs and records can be erased. Lists what was not ' +
    'erased, such as documents and Git. A name without a key is accepted only if waybill.yaml says people: claimed.',
  examples: [
    {
      command:
        'waybill log erase 17 --by ada --why "holds a customer name" --key ~/.ssh/id_ed25519',
      does: 'erase the content of an entry, signed',
    },
    { command: 'waybill log show --kind erasure', does: 'list what was erased' },
  ],
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
    // After an interruption, the statement is already recorded.
    const stated = (await findErasure(gateway.log, entry.digest))
      ? { keyid: null, receipt: null }
      : await state(given, index, entry, gateway)
    const recorded = await findErasure(gateway.log, entry.digest)
    if (!recorded)
      throw new WaybillError('internal', 'the erasure was recorded but cannot be found')
    app.recording?.()
    // The tombstone repeats the recorded statement.
    await putTombstone(gateway, index, entry, recorded).catch(error => {
      throw unfinished(error, index)
    })
    const { by, standing, at, reason } = recorded
    const statement = { by, standing, at, reason, ...stated }
    return { outcome: 'erased', ...statement, ...(await restOf(index, entry, gateway, app)) }
  })
}

/** Wraps a failure after the statement was recorded: only the erasure itself must be repeated. */
function unfinished(error: unknown, index: number): unknown {
  if (!(error instanceof WaybillError)) return error
  return new WaybillError(error.code, `entry ${index} is not erased yet: ${error.message}`, {
    hint: `${error.hint ? `${error.hint}; ` : ''}the statement is recorded: then run waybill log erase ${index} to finish`,
    cause: error,
  })
}

/** Finds exactly one entry by its index or digest. */
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
  // Never overwrite a changed entry: it is evidence.
  if (one && !another) return { index: one.index, entry: mustBeAsRecorded(one.entry, one.index) }
  const hint =
    indices.length > 0
      ? `matching entries: ${indices.slice(-5).join(', ')}; name one by its index or digest`
      : 'run waybill log show to list the entries'
  throw new WaybillError('not-found', `no single entry matches ${quote(word)}`, { hint })
}

/** Records the statement of a person, before anything is erased. */
async function state(
  given: Input,
  index: number,
  entry: Kept,
  gateway: Gateway,
): Promise<Pick<LogEraseOutput, 'keyid' | 'receipt'>> {
  const { by, why } = statedIn(given, {
    message: 'erasing needs --by <name> and --why <reason>',
    hint: 'name the person who erases it, and the reason',
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
  const statement = { by, standing, at, reason, keyid: null, receipt: null }
  return { outcome: 'was-erased', ...statement, ...(await restOf(index, entry, gateway, app)) }
}

/** Removes the record files of an entry, and lists what remains elsewhere. */
async function restOf(index: number, entry: AsRecorded, { log, origin }: Gateway, app: App) {
  const { ids, kind } = summaryOf(index, entry)
  const removed = removeRecordFiles(app.root, ids).map(file => fromRoot(file, app))
  return {
    ...{ origin, index, digest: entry.digest, kind, removed },
    alsoHolding: await holdingToo(log, index, ids),
    beside: filesNamedAfter(app.root, ids),
    notErased: [...keptIds(ids), ...sealedHolding(app.root, index), ...NOT_ERASED],
  }
}
