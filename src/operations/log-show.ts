import { maskSecrets } from '../document/index.ts'
import {
  entryAt,
  findErasure,
  indicesOf,
  inspectEntry,
  isAsRecorded,
  type ReadEntry,
  summaryIn,
  thereAgain,
} from '../governance/index.ts'
import type { LogReader } from '../ledger/index.ts'
import { limitOf, newestOf, WANTED } from './log/listed.ts'
import { nearIds } from './log/near.ts'
import { type OpenedLedger, openLedger } from './log/open.ts'
import type { LogShowOutput, ShownEntry } from './log-show/output.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'

const input = {
  type: 'object',
  properties: {
    about: {
      type: 'string',
      positional: true,
      placeholder: 'id',
      description:
        'An index, the id of a handoff, session or record, an agent, or a digest (default: the newest entries).',
    },
    ...WANTED,
  },
} as const

/** Shows entries of the log: the newest as a list, or those matching an id in full. */
export default defineOperation({
  name: 'log show',
  summary: 'Show log entries: the newest, or all about an id in full',
  description:
    'Each entry has the decision, its time, who made it and the agents concerned. For refused documents, only ' +
    'codes are recorded, not messages. With an id, also shows the signed statement, its keys, and whether the leaf ' +
    'in the tree matches the content; an erased entry shows who erased it, when and why. Writes nothing. Exits ' +
    'with 1 when an entry was changed (differs), or nothing matches. To verify the whole log, run waybill log ' +
    'verify.',
  examples: [
    { command: 'waybill log show', does: 'list the newest entries' },
    { command: 'waybill log show 17', does: 'show one entry in full' },
    {
      command: 'waybill log show --agent domain-05-product --kind handoff-rejected',
      does: 'list refused handoffs of an agent',
    },
    {
      command: "waybill log show --format json | jq -r '.entries[] | [.index, .kind] | @tsv'",
      does: 'print a table for programs',
    },
  ],
  actor: 'any',
  effect: 'read',
  input,
  run: show,
  failed: ({ about, entries, shown }) => {
    if (!entries.every(isAsRecorded) || shown?.some(isTampered)) return 'ledger-tampered'
    return about !== null && entries.length === 0
  },
})

function isTampered({ inTree, signatures }: ShownEntry): boolean {
  return !inTree || signatures.some(({ verdict }) => verdict === 'bad')
}

async function show(given: TypeOf<typeof input>, app: App): Promise<LogShowOutput> {
  const { about } = given
  const limit = limitOf(given.limit)
  const opened = await openLedger(app)
  const { origin, size, log } = opened
  const answer = { origin, size, about: about === undefined ? null : maskSecrets(about), near: [] }
  if (!log) return { ...answer, entries: [], shown: about === undefined ? null : [], more: false }
  if (about === undefined) {
    return { ...answer, ...(await newestOf(log, { ...given, limit })), shown: null }
  }
  const among = await indicesOf(log, about)
  const { entries, more } = await newestOf(log, { ...given, limit, among })
  const shown: ShownEntry[] = []
  for (const { index } of entries) shown.push(await inFull(log, index, opened))
  const near = entries.length === 0 ? await nearIds(log, about) : []
  return { ...answer, entries, shown, more, near }
}

async function inFull(log: LogReader, index: number, { trust }: OpenedLedger): Promise<ShownEntry> {
  const entry = await entryAt(log, index)
  return {
    ...(await summaryIn(log, index, entry)),
    ...(await inspectEntry(log, index, entry, trust)),
    statement: statementIn(entry),
    tombstone: entry.is === 'erased' ? await tombstoneOf(log, index, entry) : null,
  }
}

/** Returns the statement; also of a changed entry, for inspection. */
function statementIn(entry: ReadEntry): ShownEntry['statement'] {
  const current = entry.is === 'differs' ? entry.instead : entry
  return current.is === 'entry' ? current.statement : null
}

async function tombstoneOf(
  log: LogReader,
  index: number,
  entry: Extract<ReadEntry, { is: 'erased' }>,
): Promise<ShownEntry['tombstone']> {
  const { by, at, reason } = entry.tombstone
  const erasure = (await findErasure(log, entry.digest))?.index ?? null
  return { by, at, reason, erasure, again: thereAgain(index, entry) }
}
