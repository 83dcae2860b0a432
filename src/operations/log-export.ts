import { once } from 'node:events'
import { createWriteStream, type WriteStream } from 'node:fs'
import { resolve } from 'node:path'
import { listed } from '../contract/index.ts'
import { WaybillError } from '../error.ts'
import { entryAt } from '../governance/index.ts'
import { cannotWrite, removeLeft } from '../workspace/index.ts'
import { fromRoot } from './gateway/passed.ts'
import { refuseDash } from './gateway/write.ts'
import { type OpenedLedger, openLedger } from './log/open.ts'
import { eventOf } from './log-export/event.ts'
import { exportFiles } from './log-export/files.ts'
import type { CloudEvent, LogExportOutput } from './log-export/output.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'

const input = {
  type: 'object',
  properties: {
    from: {
      type: 'integer',
      placeholder: 'index',
      description: 'The first entry that is wanted (default: 0).',
    },
    limit: {
      type: 'integer',
      placeholder: 'number',
      description: 'How many entries at most (default: all; in one answer 1000).',
    },
    out: {
      type: 'string',
      path: true,
      makes: true,
      writes: true,
      placeholder: 'file',
      actor: 'human',
      description: 'Write them to this file, which must not exist yet.',
    },
    files: {
      type: 'string',
      path: true,
      makes: true,
      writes: true,
      placeholder: 'folder',
      actor: 'human',
      description:
        'Write instead the log itself into a new folder, as an auditor verifies it: tiles, contents and checkpoint.',
    },
  },
} as const

const IN_ONE_ANSWER = 1000

/** Gives every entry of the log as a CloudEvent. */
export default defineOperation({
  name: 'log export',
  summary: 'Export the entries of the log as CloudEvents, one JSON object per line',
  description:
    'Each line is a CloudEvent 1.0 in JSON: id is the digest of the entry, source the log, type the kind of statement, ' +
    'data the statement, and logindex its place. Erased entries are events as well, with who erased them and why. One that ' +
    'is not what was recorded has logstate differs and no statement; the export then exits with 1. Lines come as they ' +
    'are read, however large the log is. With --format json it is one object with at most 1000 events and where to go on. ' +
    'With --files the log itself is written, in files also where PostgreSQL keeps it: waybill log verify --ledger and ' +
    'tools that read C2SP tlog-tiles verify that folder.',
  examples: [
    { command: 'waybill log export --out entries.jsonl', does: 'the whole log in a file' },
    { command: 'waybill log export --files audit/ledger', does: 'the log for an auditor' },
    { command: 'waybill log export --from 1200 | jq -r .type', does: 'what is new, to a program' },
  ],
  actor: 'any',
  effect: 'read',
  input,
  run: exportWhole,
  failed: ({ changed }) => (changed.length > 0 ? 'ledger-tampered' : false),
  parts: (given, app, format) =>
    format === 'json' || given.out !== undefined || given.files !== undefined
      ? undefined
      : exportParts(given, app),
})

type Input = TypeOf<typeof input>

async function exportWhole(given: Input, app: App): Promise<LogExportOutput> {
  const { out, files } = given
  if (files !== undefined) {
    if (out !== undefined || given.from !== undefined || given.limit !== undefined)
      throw new WaybillError('usage', '--files writes all of the log', { hint: 'give it alone' })
    return exportFiles(files, app)
  }
  if (out !== undefined) refuseDash(out, '--out')
  const opened = await openLedger(app)
  const stretch = stretchOf(given, opened, out === undefined ? IN_ONE_ANSWER : undefined)
  const { origin, size } = opened
  const { from, to } = stretch
  const next = to < size ? to : null
  const answer = { origin, size, from, next, count: Math.max(0, to - from) }
  const changed: number[] = []
  const events = eventsIn(opened, stretch, app, changed)
  if (out === undefined) return { ...answer, out: null, changed, events: await all(events) }
  const file = resolve(app.cwd, out)
  await write(file, out, events, app)
  return { ...answer, out: fromRoot(file, app), changed, events: [] }
}

async function* exportParts(given: Input, app: App): AsyncGenerator<CloudEvent> {
  const opened = await openLedger(app)
  const changed: number[] = []
  yield* eventsIn(opened, stretchOf(given, opened, undefined), app, changed)
  if (changed.length === 0) return
  const named = listed(changed.slice(0, MOST_NAMED).map(String))
  const more = changed.length > MOST_NAMED ? ', …' : ''
  throw new WaybillError('ledger-tampered', `not what was recorded: entry ${named}${more}`, {
    hint: 'waybill log verify tells what is wrong with the log',
  })
}

/** So many of them are named. */
const MOST_NAMED = 10

interface Stretch {
  readonly from: number
  /** The first index that is not wanted. */
  readonly to: number
}

function stretchOf(
  { from = 0, limit }: Input,
  { size }: OpenedLedger,
  most: number | undefined,
): Stretch {
  if (!Number.isSafeInteger(from) || from < 0)
    throw new WaybillError('usage', '--from is the index of an entry, 0 or more')
  if (limit !== undefined && !(Number.isSafeInteger(limit) && limit >= 1))
    throw new WaybillError('usage', '--limit is a number, 1 or more')
  const count = limit ?? most ?? size
  return { from, to: Math.min(size, from + Math.min(count, most ?? count)) }
}

/** The events of a stretch; on the way the indices of those that somebody has changed are noted. */
async function* eventsIn(
  { log, origin }: OpenedLedger,
  { from, to }: Stretch,
  { signal }: App,
  changed: number[],
): AsyncGenerator<CloudEvent> {
  if (!log || origin === null) return
  for (let index = from; index < to && !signal?.aborted; index++) {
    const entry = await entryAt(log, index)
    if (entry.is === 'differs' || entry.is === 'unreadable') changed.push(index)
    yield eventOf(origin, index, entry)
  }
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = []
  for await (const item of items) collected.push(item)
  return collected
}

/** Writes events to a new file; half of them are none. */
async function write(
  file: string,
  shown: string,
  events: AsyncIterable<unknown>,
  { signal }: App,
): Promise<void> {
  const stream = createWriteStream(file, { flags: 'wx', flush: true })
  try {
    await once(stream, 'open')
  } catch (cause) {
    throw whyNotWritten(shown, cause)
  }
  try {
    for await (const event of events) await put(stream, `${JSON.stringify(event)}\n`)
    if (signal?.aborted) throw new WaybillError('interrupted', 'nothing was exported')
    stream.end()
    await once(stream, 'finish')
  } catch (cause) {
    stream.destroy()
    removeLeft(file)
    throw cause instanceof WaybillError ? cause : whyNotWritten(shown, cause)
  }
}

async function put(stream: WriteStream, text: string): Promise<void> {
  if (stream.errored) throw stream.errored
  if (!stream.write(text)) await once(stream, 'drain')
}

function whyNotWritten(shown: string, cause: unknown): WaybillError {
  if ((cause as NodeJS.ErrnoException).code === 'EEXIST') {
    return new WaybillError('exists', `${shown} exists already, and is not overwritten`, {
      hint: 'name another file with --out',
      cause,
    })
  }
  return cannotWrite(shown, cause)
}
