import { figuresOf, latestCheckpoints, type State, type Unit } from '../contracts/index.ts'
import { formatPointer } from '../document/index.ts'
import { notesOf, titleOf, unitsOf } from '../session/index.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'
import { FILE } from './pipeline/find.ts'
import { openPipeline, type Pipeline } from './pipeline/open.ts'
import { setCommand } from './pipeline/set-command.ts'
import type { PipelineStatusOutput } from './pipeline-status/output.ts'

const input = {
  type: 'object',
  properties: {
    file: FILE,
  },
} as const

/** Shows the state of a pipeline of agents. */
export default defineOperation({
  name: 'pipeline status',
  summary: 'Show what is done, ready and blocked in a pipeline, and why',
  description:
    'Compares statuses with dependencies, barriers, the queue and the existing session contexts: an agent is ready when ' +
    'everything it waits for is complete and its input exists. Shows each derived figure of the document with its allowed ' +
    'range. Of an invalid document, shows the valid parts. Exits with 1 when the document has errors.',
  examples: [
    {
      command: 'waybill pipeline status',
      does: 'show the pipeline of this repository',
    },
    {
      command: 'waybill pipeline status --file work/ORCHESTRATION.yaml',
      does: 'show another pipeline',
    },
    {
      command: 'waybill pipeline status --format json',
      does: 'print every unit with its blockers',
    },
  ],
  actor: 'any',
  effect: 'read',
  input,
  run: (given, app) => status(given, app),
  failed: output => !output.accepted,
})

async function status(given: TypeOf<typeof input>, app: App): Promise<PipelineStatusOutput> {
  const pipeline = await openPipeline(given.file, app)
  const { path, sha256, report, value, standing, isCounted, isThere, show } = pipeline
  const counted = [...figuresOf(value)].filter(figure => isCounted(figure.path))
  const units = unitsOf(standing)
  return show({
    file: path,
    sha256,
    accepted: report.accepted,
    workflow: { id: value.workflow?.id ?? null, status: value.workflow?.status ?? null },
    counts: {
      phases: countsOf(units, 'phase'),
      agents: countsOf(units, 'agent'),
      barriers: countsOf(units, 'barrier'),
    },
    partial: pipeline.isPartial,
    units: units.map(unit => listed(unit, pipeline)),
    figures: counted.map(({ path, stated, shown: [least, most] }) => ({
      path: formatPointer(show(path)),
      stated,
      least,
      most: Number.isFinite(most) ? most : null,
      agrees: stated >= least && stated <= most,
    })),
    checkpoint: checkpointOf(pipeline),
    notes: notesOf(standing, value, isThere, setCommand(path, app)),
    diagnostics: report.diagnostics,
  })
}

function listed(unit: Unit, { value }: Pipeline) {
  const { kind, address, stated, state, reasons } = unit
  return {
    kind,
    address,
    title: titleOf(unit, value) ?? null,
    stated: stated ?? null,
    state,
    reasons,
  }
}

function countsOf(units: readonly Unit[], kind: Unit['kind']) {
  const own = units.filter(unit => unit.kind === kind)
  const count = (state: State) => own.filter(unit => unit.state === state).length
  return {
    total: own.length,
    done: count('done'),
    running: count('running'),
    ready: count('ready'),
    waiting: count('waiting'),
    blocked: count('blocked'),
    failed: count('failed'),
  }
}

function checkpointOf({ value: { checkpoints, resumption } }: Pipeline) {
  if (!checkpoints) return null
  const stated = checkpoints.latest_id ?? resumption?.last_checkpoint ?? null
  const latest = latestCheckpoints(checkpoints.entries ?? [])
  const agrees = stated === null ? latest.length === 0 : latest.includes(stated)
  return { stated, latest: agrees ? stated : (latest[0] ?? null), agrees }
}
