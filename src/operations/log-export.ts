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
      description: 'Index of the first entry (default: 0).',
    },
    limit: {
      type: 'integer',
      placeholder: 'number',
      description: 'Maximum number of entries (default: all; with --format json 1000).',
    },
    out: {
      type: 'string',
      path: true,
      makes: true,
      writes: true,
      placeholder: 'file',
      actor: 'human',
      description: 'Write the events to this file, which must not exist yet.',
    },
    files: {
      type: 'string',
      path: true,
      makes: true,
      writes: true,
      placeholder: 'folder',
      actor: 'human',
      description:
        'Write the log itself to a new folder, for auditors: tiles, contents and checkpoint.',
    },
  },
} as const

const IN_ONE_ANSWER = 1000

/** Exports the entries of the log as CloudEvents. */
export default defineOperation({
  name: 'log export',
  summary: 'Export log entries as CloudEvents, one JSON object per line',
  description:
    'Each line is a CloudEvent 1.0: id is the digest of the entry, source the log, type the kind of statement, ' +
    'data the statement, and logindex its index. An erased entry is an event with the person and reason of the ' +
    'erasure. A changed entry has logstate differs and no statement, and the export exits with 1. --format json ' +
    'returns one object with at most 1000 events and the next index. --files writes the log as files, also from ' +
    'PostgreSQL, for waybill log verify --ledger and tools that read C2SP tlog-tiles.',
  examples: [
    { command: 'waybill log export --out entries.jsonl', does: 'export the whole log to a file' },
    { command: 'waybill log export --files audit/ledger', does: 'export the log for an auditor' },
    {
      command: 'waybill log export --from 1200 | jq -r .type',
      does: 'pass new entries to a program',
    },
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
      throw new WaybillError('usage', '--files exports the whole log', {
        hint: 'omit --out, --from and --limit',
      })
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
  throw new WaybillError('ledger-tampered', `changed after recording: entry ${named}${more}`, {
    hint: 'run waybill log verify for details',
  })
}

/** Maximum number of indices shown. */
const MOST_NAMED = 10

interface Stretch {
  readonly from: number
  /** Exclusive end. */
  readonly to: number
}

function stretchOf(
  { from = 0, limit }: Input,
  { size }: OpenedLedger,
  most: number | undefined,
): Stretch {
  if (!Number.isSafeInteger(from) || from < 0)
    throw new WaybillError('usage', '--from must be an index, 0 or more')
  if (limit !== undefined && !(Number.isSafeInteger(limit) && limit >= 1))
    throw new WaybillError('usage', '--limit must be a number, 1 or more')
  const count = limit ?? most ?? size
  return { from, to: Math.min(size, from + Math.min(count, most ?? count)) }
}

/** Yields the events of a range, and collects the indices of changed entries. */
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

/** Writes events to a new file, and removes it on failure. */
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
    return new WaybillError('exists', `${shown} already exists and is not overwritten`, {
      hint: 'name another file with --out',
      cause,
    })
  }
  return cannotWrite(shown, cause)
}
