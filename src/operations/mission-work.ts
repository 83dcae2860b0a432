import { once } from 'node:events'
import { CONCURRENCY_INPUT, numberIn, rangeOf } from './mission/numbers.ts'
import { partsOf } from './mission/parts.ts'
import { CONCURRENCY, withWorker, withWorks } from './mission/working.ts'
import type { MissionWorkOutput } from './mission-work/output.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'

const input = {
  type: 'object',
  properties: {
    concurrency: {
      type: 'integer',
      placeholder: 'number',
      description: `How many tasks run at once, ${rangeOf(CONCURRENCY_INPUT)} (default: ${CONCURRENCY}).`,
    },
  },
} as const

/** Runs the tasks of all missions until cancelled. */
export default defineOperation({
  name: 'mission work',
  summary: 'Run the tasks of missions until Ctrl-C',
  description:
    'Any number of workers on any number of machines can share one database (DATABASE_URL). Within seconds of a crash, ' +
    'other workers take over its tasks. Ctrl-C returns running tasks to the queue and stops.',
  examples: [
    { command: 'waybill mission work', does: 'run queued tasks as they come' },
    { command: 'waybill mission work --concurrency 32', does: 'run more at once' },
  ],
  actor: 'human',
  effect: 'execute',
  input,
  run,
  parts: work,
})

async function run(given: TypeOf<typeof input>, app: App): Promise<MissionWorkOutput> {
  let last: MissionWorkOutput = { worker: '', event: 'stopped' }
  for await (const part of work(given, app)) last = part
  return last
}

function work(given: TypeOf<typeof input>, app: App): AsyncGenerator<MissionWorkOutput> {
  return partsOf(app, tell => {
    numberIn(CONCURRENCY_INPUT, given.concurrency)
    return withWorks(app, async works => {
      let id = ''
      await withWorker(works, given, async ({ worker, app: { signal } }) => {
        id = worker.id
        tell({ worker: id, event: 'started' })
        if (!signal.aborted) await once(signal, 'abort')
      })
      tell({ worker: id, event: 'stopped' })
    })
  })
}
