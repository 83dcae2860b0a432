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
      description: 'How many of the last entries (default: 10).',
    },
    follow: {
      type: 'boolean',
      actor: 'human',
      description: 'Go on with new entries as they are published, until Ctrl-C.',
    },
  },
} as const

const USUAL = 10
/** A checkpoint follows its entries within a second; nobody has to wait much longer to see them. */
const BETWEEN_LOOKS = 200

/** Shows the last entries of the log, and with `follow` each new one as it is published. */
export default defineOperation({
  name: 'log tail',
  summary: 'Show the last entries of the log, and follow it',
  description:
    'With --follow each new entry is shown once a signed checkpoint covers it, one line each; with --format json it is ' +
    'one JSON object per line. Ctrl-C ends it.',
  examples: [
    { command: 'waybill log tail', does: 'the last ten entries' },
    { command: 'waybill log tail --follow', does: 'and every one that follows' },
    {
      command: 'waybill log tail --follow --format json | jq \'select(.kind == "security-event")\'',
      does: 'watch for some of them',
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

/** The last entries and then, without end, each new one; the signal of the program ends it. */
async function* follow(given: Input, app: App): AsyncGenerator<EntrySummary> {
  const limit = limitOf(given.limit, USUAL)
  let opened: OpenedLedger | undefined
  let next: number | undefined
  while (!app.signal?.aborted) {
    // The log may begin only while somebody waits for it.
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

/** How large a log is by now. A checkpoint that cannot be verified is looked at once more, with the keys that are listed by then. */
async function lookAgain(opened: OpenedLedger, app: App): Promise<OpenedLedger> {
  try {
    return { ...opened, size: (await opened.log?.size()) ?? 0 }
  } catch (error) {
    const again = await openLedger(app)
    // What was seen before must still be there.
    if (again.size < opened.size) throw error
    return again
  }
}
