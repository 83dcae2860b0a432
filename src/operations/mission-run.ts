import { followMission, isOver } from './mission/following.ts'
import { CONCURRENCY_INPUT, numberIn, rangeOf } from './mission/numbers.ts'
import { TENANT_INPUT } from './mission/open.ts'
import { partsOf } from './mission/parts.ts'
import { statusOf } from './mission/status.ts'
import { requireMeaning, SUBMISSION, submit } from './mission/submitting.ts'
import { besideWorker, CONCURRENCY, STAYS, type Works, withWorks } from './mission/working.ts'
import type { MissionRunOutput } from './mission-run/output.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'

const input = {
  type: 'object',
  properties: {
    ...SUBMISSION,
    tenant: TENANT_INPUT,
    concurrency: {
      type: 'integer',
      placeholder: 'number',
      description: `How many tasks are done at once, ${rangeOf(CONCURRENCY_INPUT)} (default: ${CONCURRENCY}).`,
    },
  },
} as const

/** Begins a mission and does it, to its end. */
export default defineOperation({
  name: 'mission run',
  summary: 'Begin a mission and do it, to its end',
  description:
    'As waybill mission submit, with a worker in this process. On a terminal the tasks are shown as a tree while they ' +
    'are done. Ctrl-C leaves: the mission stays, and waybill mission work goes on with it.',
  examples: [
    {
      command: 'waybill mission run issue-brief --goal "Why do reminders arrive at night?"',
      does: 'do a mission of a template',
    },
  ],
  actor: 'human',
  effect: 'execute',
  input,
  run,
  parts: (given, app, format) => (format === 'text' ? shown(given, app) : undefined),
  failed: ({ status }) => status?.state !== 'finished',
  failedPart: part => (part as MissionRunOutput | undefined)?.status?.state !== 'finished',
})

type Input = TypeOf<typeof input>

async function run(given: Input, app: App): Promise<MissionRunOutput> {
  let last: MissionRunOutput = { mission: null, faults: [], status: null }
  for await (const part of shown(given, app)) last = part
  return last
}

/** The mission each time that it has come further. */
function shown(given: Input, app: App): AsyncGenerator<MissionRunOutput> {
  return partsOf(app, tell => {
    requireMeaning(given, app)
    numberIn(CONCURRENCY_INPUT, given.concurrency)
    return withWorks(app, works => play(given, works, tell))
  })
}

async function play(
  given: Input,
  works: Works,
  tell: (part: MissionRunOutput) => void,
): Promise<void> {
  const { store, untold, app } = works
  if (app.signal?.aborted) return
  const submitted = await submit(given, works)
  if ('faults' in submitted) return tell({ mission: null, faults: submitted.faults, status: null })
  const { mission, tenant } = submitted
  // Who leaves before the worker has begun is told of it all the same: the mission stays.
  const status = await store.tenant(tenant, tx => statusOf(tx, tenant, mission))
  tell({ mission, faults: [], status })
  let last = status
  await besideWorker(works, given, async ({ app }) => {
    for await (const status of followMission(untold, submitted, app, { ticking: true })) {
      last = status
      tell({ mission, faults: [], status })
    }
  })
  if (app.signal?.aborted && !isOver(last)) app.tell?.(STAYS)
}
