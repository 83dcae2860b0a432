import { setTimeout as pause } from 'node:timers/promises'
import { type EntrySummary, entryAt, isAsRecorded, summaryOf } from '../governance/index.ts'
import { limitOf, newestOf } from './log/listed.ts'
import { type OpenedLedger, openLedger } from './log/open.ts'
import type { LogTailOutput } from './log-tail/output.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'

const input = {
  type: 'object',
  properties: {
    limit: {
      type: 'integer',
      placeholder: 'number',
      description: 'Number of entries (default: 10).',
    },
    follow: {
      type: 'boolean',
      actor: 'human',
      description: 'Follow new entries as they are published, until Ctrl-C.',
    },
  },
} as const

const USUAL = 10
/** Time between polls, in milliseconds; a checkpoint follows its entries within a second. */
const BETWEEN_LOOKS = 200

/** Shows the last entries of the log, and with `follow` each new one once it is published. */
export default defineOperation({
  name: 'log tail',
  summary: 'Show the latest log entries, and follow new ones',
  description:
    'With --follow each new entry is printed on one line once a signed checkpoint covers it; with --format json as ' +
    'one JSON object per line. Ctrl-C ends it. Writes nothing. Exits with 1 when a shown entry was changed.',
  examples: [
    { command: 'waybill log tail', does: 'show the latest ten entries' },
    { command: 'waybill log tail --follow', does: 'show them and follow new ones' },
    {
      command: 'waybill log tail --follow --format json | jq \'select(.kind == "security-event")\'',
      does: 'watch for security events',
    },
  ],
  actor: 'any',
  effect: 'read',
  input,
  run: tail,
  failed: ({ entries }) => (entries.every(isAsRecorded) ? false : 'ledger-tampered'),
  parts: (given, app) => (given.follow ? follow(given, app) : undefined),
})

type Input = TypeOf<typeof input>

async function tail(given: Input, app: App): Promise<LogTailOutput> {
  const limit = limitOf(given.limit, USUAL)
  const { origin, size, log } = await openLedger(app)
  return { origin, size, entries: log ? (await newestOf(log, { limit })).entries : [] }
}

/** Yields the last entries, then each new one until cancelled. */
async function* follow(given: Input, app: App): AsyncGenerator<EntrySummary> {
  const limit = limitOf(given.limit, USUAL)
  let opened: OpenedLedger | undefined
  let next: number | undefined
  while (!app.signal?.aborted) {
    // The log may be created only while waiting.
    opened = opened?.log ? await lookAgain(opened, app) : await openLedger(app)
    const { log, size } = opened
    next ??= Math.max(0, size - limit)
    for (; log && next < size; next++) {
      if (app.signal?.aborted) return
      yield summaryOf(next, await entryAt(log, next))
    }
    await pause(BETWEEN_LOOKS, undefined, app.signal && { signal: app.signal }).catch(
      () => undefined,
    )
  }
}

/** Returns the current size of a log; on a verification error, retries with reloaded keys. */
async function lookAgain(opened: OpenedLedger, app: App): Promise<OpenedLedger> {
  try {
    return { ...opened, size: (await opened.log?.size()) ?? 0 }
  } catch (error) {
    const again = await openLedger(app)
    // The log must not have shrunk.
    if (again.size < opened.size) throw error
    return again
  }
}
