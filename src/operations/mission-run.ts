import { followMission } from './mission/following.ts'
import { CONCURRENCY_INPUT, numberIn, rangeOf } from './mission/numbers.ts'
import { TENANT_INPUT } from './mission/open.ts'
import type { MissionStatusParts } from './mission/output.ts'
import { partsOf } from './mission/parts.ts'
import { requireMeaning, SUBMISSION, submit } from './mission/submitting.ts'
import { CONCURRENCY, startWorking, type Works, withWorks } from './mission/working.ts'
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

type Given = TypeOf<typeof input>

async function run(given: Given, app: App): Promise<MissionRunOutput> {
  let last: MissionRunOutput = { mission: null, faults: [], status: null }
  for await (const part of shown(given, app)) last = part
  return last
}

/** The mission each time that it has come further. */
function shown(given: Given, app: App): AsyncGenerator<MissionRunOutput> {
  return partsOf(tell => {
    requireMeaning(given)
    numberIn(CONCURRENCY_INPUT, given.concurrency)
    return withWorks(app, works => play(given, works, tell))
  })
}

async function play(
  given: Given,
  works: Works,
  tell: (part: MissionRunOutput) => void,
): Promise<void> {
  const submitted = await submit(given, works)
  if ('faults' in submitted) return tell({ mission: null, faults: submitted.faults, status: null })
  const worker = await startWorking(works, given)
  try {
    const follow: AsyncIterable<MissionStatusParts> = followMission(
      works.store,
      submitted,
      works.app,
      { ticking: true },
    )
    for await (const status of follow) tell({ mission: submitted.mission, faults: [], status })
  } finally {
    await worker.stop()
  }
}
