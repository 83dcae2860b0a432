import { once } from 'node:events'
import { CONCURRENCY_INPUT, numberIn, rangeOf } from './mission/numbers.ts'
import { partsOf } from './mission/parts.ts'
import { besideWorker, CONCURRENCY, withWorks } from './mission/working.ts'
import type { MissionWorkOutput } from './mission-work/output.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'

const input = {
  type: 'object',
  properties: {
    concurrency: {
      type: 'integer',
      placeholder: 'number',
      description: `How many tasks are done at once, ${rangeOf(CONCURRENCY_INPUT)} (default: ${CONCURRENCY}).`,
    },
  },
} as const

/** Does the tasks of all missions, until it is told to stop. */
export default defineOperation({
  name: 'mission work',
  summary: 'Do the tasks of missions, until Ctrl-C',
  description:
    'Any number of workers, on any number of machines, share one database (DATABASE_URL). A worker that dies is noticed ' +
    'within seconds, and its tasks go on elsewhere. Ctrl-C gives back what runs and leaves.',
  examples: [
    { command: 'waybill mission work', does: 'do what is queued, and what will be' },
    { command: 'waybill mission work --concurrency 32', does: 'more at once' },
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
      await besideWorker(works, given, async ({ worker, app: { signal } }) => {
        id = worker.id
        tell({ worker: id, event: 'started' })
        if (!signal.aborted) await once(signal, 'abort')
      })
      tell({ worker: id, event: 'stopped' })
    })
  })
}
