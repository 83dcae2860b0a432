import { followMission, isOver } from './mission/following.ts'
import { CONCURRENCY_INPUT, numberIn, rangeOf } from './mission/numbers.ts'
import { TENANT_INPUT } from './mission/open.ts'
import { partsOf } from './mission/parts.ts'
import { statusOf } from './mission/status.ts'
import { requireMeaning, SUBMISSION, submit } from './mission/submitting.ts'
import { CONCURRENCY, STAYS, type Works, withWorker, withWorks } from './mission/working.ts'
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
      description: `How many tasks run at once, ${rangeOf(CONCURRENCY_INPUT)} (default: ${CONCURRENCY}).`,
    },
  },
} as const

/** Submits a mission and runs it to its end. */
export default defineOperation({
  name: 'mission run',
  summary: 'Submit a mission and run it to its end',
  description:
    'Like waybill mission submit, with a worker in this process. A terminal shows the progress as a tree. Ctrl-C leaves ' +
    'the mission for waybill mission work to continue. Exits with 1 unless the mission finishes.',
  examples: [
    {
      command: 'waybill mission run issue-brief --goal "Why do reminders arrive at night?"',
      does: 'run a mission from a template',
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

/** Yields the mission each time it changes. */
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
  const { store, quietStore, app } = works
  if (app.signal?.aborted) return
  const submitted = await submit(given, works)
  if ('faults' in submitted) return tell({ mission: null, faults: submitted.faults, status: null })
  const { mission, tenant } = submitted
  // Report the mission even when the caller leaves before the worker starts.
  const status = await store.tenant(tenant, tx => statusOf(tx, tenant, mission))
  tell({ mission, faults: [], status })
  let last = status
  const following = { ticking: true, isKnown: true }
  await withWorker(works, given, async ({ app }) => {
    for await (const status of followMission(quietStore, submitted, app, following)) {
      last = status
      tell({ mission, faults: [], status })
    }
  }).finally(() => {
    if (!isOver(last)) app.tell?.(STAYS)
  })
}
