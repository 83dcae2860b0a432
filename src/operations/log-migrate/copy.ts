import { parseInstant } from '../../document/index.ts'
import { WaybillError } from '../../error.ts'
import { contentAt, keysOf, readEntry, summaryOf } from '../../governance/index.ts'
import {
  auditTree,
  decodeBundle,
  isSame,
  type LastClock,
  type LogReader,
  parseLeaf,
  type SignedCheckpoint,
  sha256,
  TILE_WIDTH,
  tileAt,
  toHex,
} from '../../ledger/index.ts'
import type { MovedEntry, PostgresMove } from '../../store/index.ts'

/** Number of groups of 256 entries compared per query. */
const GROUPS = 64

/** Receives the progress of a migration. */
export type Progress = ((done: number, total: number) => void) | undefined

/** Copies the published entries that the database does not have yet. */
export async function copyPublished(
  log: LogReader,
  move: PostgresMove,
  progress: Progress,
): Promise<void> {
  const size = await log.size()
  const clock = await clockOf(log)
  let { size: from, time } = await move.state()
  while (from < size) {
    // One tile at a time; the first part completes an interrupted tile.
    const to = Math.min(size, (Math.floor(from / TILE_WIDTH) + 1) * TILE_WIDTH)
    const entries = await entriesOf(log, { from, to, size })
    time = Math.max(time, timeOf(entries, clock.time))
    await move.add(from, entries, { ...clock, time })
    from = to
    progress?.(from, size)
  }
}

/** Returns the last clock of a log; zeros if it is empty. */
export async function clockOf(log: LogReader): Promise<LastClock> {
  return (await log.lastClock()) ?? { time: 0, wall: 0, boot: '', uptime: 0 }
}

interface Part {
  readonly from: number
  readonly to: number
  readonly size: number
}

async function entriesOf(log: LogReader, { from, to, size }: Part): Promise<readonly MovedEntry[]> {
  const group = Math.floor(from / TILE_WIDTH)
  const leaves = decodeBundle(await log.tile(tileAt('entries', group, size))) ?? []
  const entries: MovedEntry[] = []
  for (let index = from; index < to; index++) {
    const leaf = leaves[index % TILE_WIDTH]
    const content = await contentAt(log, index)
    if (!leaf || content === undefined) throw notAsRecorded(index)
    const named = parseLeaf(leaf)
    const { digest, keys } = keysOf(content)
    if ('fault' in named || named.digest !== digest) throw notAsRecorded(index)
    entries.push({ leaf, content, digest, keys })
  }
  return entries
}

function notAsRecorded(index: number): WaybillError {
  return new WaybillError('ledger-tampered', `entry ${index} was changed after recording`, {
    hint: 'a changed log cannot be moved; run waybill log verify for details',
  })
}

/** Returns the latest time stated in some entries, in milliseconds since the epoch; erased ones state none. */
function timeOf(entries: readonly MovedEntry[], latest: number): number {
  const times = entries.map(({ content }) => {
    const { at } = summaryOf(0, readEntry(content))
    return at === null ? undefined : parseInstant(at)
  })
  const known = times.filter(time => time !== undefined)
  return known.length === 0 ? 0 : Math.min(latest, Math.max(...known))
}

/** Compares a log without concurrent appends to its copy: signed root, root of the copied tiles, contents and index. */
export async function compareWhole(
  log: LogReader,
  move: PostgresMove,
  { checkpoint }: SignedCheckpoint,
): Promise<void> {
  const { size, root } = checkpoint
  const copied = await move.state()
  if (copied.size !== size || !isSame(copied.root, root))
    throw differs(`its root differs from the signed root of the ${size} entries here`)
  const audited = await auditTree(sha256, size, tile => move.tile(tile))
  if ('fault' in audited || !isSame(audited.root, root))
    throw differs(`its tiles do not match the root ${toHex(root)}`)
  await compareContents(log, move, size)
  const other = await move.otherKeys(keysIn(log, size))
  if (other !== undefined) throw differs(`its index has other keys for entry ${other}`)
}

async function compareContents(log: LogReader, move: PostgresMove, size: number): Promise<void> {
  const groups = Math.ceil(size / TILE_WIDTH)
  for (let first = 0; first < groups; first += GROUPS) {
    const there = await move.digests(first, GROUPS, size)
    for (let group = first; group < Math.min(groups, first + GROUPS); group++) {
      const from = group * TILE_WIDTH
      const lines = await linesOf(log, from, Math.min(size, from + TILE_WIDTH))
      if (move.digestOf(lines) !== there[group - first]) await takeOver(move, from, lines)
    }
  }
}

/** Repeats erasures made since the entries were copied. */
async function takeOver(move: PostgresMove, from: number, lines: readonly string[]): Promise<void> {
  const there = await move.contents(from, from + lines.length)
  for (const [at, line] of lines.entries()) {
    if (there[at] === line) continue
    if (readEntry(line).is !== 'erased') throw differs(`entry ${from + at} has different content`)
    await move.erase(from + at, line)
  }
}

async function linesOf(log: LogReader, from: number, to: number): Promise<readonly string[]> {
  const lines: string[] = []
  for (let index = from; index < to; index++) {
    const line = await contentAt(log, index)
    if (line === undefined) throw notAsRecorded(index)
    lines.push(line)
  }
  return lines
}

async function* keysIn(log: LogReader, size: number) {
  for (let index = 0; index < size; index++) yield keysOf((await contentAt(log, index)) ?? '').keys
}

function differs(why: string): WaybillError {
  return new WaybillError('ledger-tampered', `the copy in the database differs: ${why}`, {
    hint: 'the log stays in its files; use an empty database and try again',
  })
}
