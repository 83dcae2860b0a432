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

/** Shows entries of the log: the newest in short, or those that a word names in full. */
export default defineOperation({
  name: 'log show',
  summary: 'Show entries of the log: the newest, or all about one id in full',
  description:
    'Each entry says what was decided, when, by whom and about whom. Of refused documents the codes are recorded, never ' +
    'their words. With an id, the entries are shown in full: the signed statement, whose key signed it, and whether its ' +
    'leaf in the tree is that of this content. An erased entry shows who erased it, when and why. Exits with 1 where an ' +
    'entry is not what was recorded (differs); what the whole log is worth is told by waybill log verify.',
  examples: [
    { command: 'waybill log show', does: 'the newest entries, one line each' },
    { command: 'waybill log show 17', does: 'one entry in full' },
    {
      command: 'waybill log show --agent domain-05-product --kind handoff-rejected',
      does: 'what was refused to an agent or from it',
    },
    {
      command: "waybill log show --format json | jq -r '.entries[] | [.index, .kind] | @tsv'",
      does: 'a table for programs',
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

/** Of an entry that was changed too, what stands there: whoever looks into it has to see it. */
function statementIn(entry: ReadEntry): ShownEntry['statement'] {
  const stands = entry.is === 'differs' ? entry.instead : entry
  return stands.is === 'entry' ? stands.statement : null
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
