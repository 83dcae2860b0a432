import type { Unit } from '../contracts/index.ts'
import { agentAt, filesOf, inStartingOrder, titleOf, unitsOf } from '../session/index.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'
import { FILE } from './pipeline/find.ts'
import { openPipeline, type Pipeline } from './pipeline/open.ts'
import type { PipelineNextOutput } from './pipeline-next/output.ts'

const input = {
  type: 'object',
  properties: {
    file: FILE,
  },
} as const

/** Lists the agents of a pipeline that may start now. */
export default defineOperation({
  name: 'pipeline next',
  summary: 'List the agents that may start now, with their inputs and outputs',
  description:
    'An agent may start when every phase, agent and barrier before it is complete and its input context exists. Nothing ' +
    'may start while the document has errors or the workflow is not ACTIVE. Exits with 1 when the document has errors.',
  examples: [
    { command: 'waybill pipeline next', does: 'list what may start, in order' },
    {
      command: "waybill pipeline next --format json | jq -r '.agents[].address'",
      does: 'feed a script that starts them',
    },
  ],
  actor: 'any',
  effect: 'read',
  input,
  run: (given, app) => next(given, app),
  failed: output => !output.accepted,
})

async function next(given: TypeOf<typeof input>, app: App): Promise<PipelineNextOutput> {
  const pipeline = await openPipeline(given.file, app)
  const { path, sha256, report, standing, show } = pipeline
  const units = unitsOf(standing)
  // Fail closed: an error may hide the order of the document.
  const ready = report.accepted ? inStartingOrder(standing) : []
  return show({
    file: path,
    sha256,
    accepted: report.accepted,
    complete: report.accepted && units.length > 0 && units.every(({ state }) => state === 'done'),
    agents: ready.filter(({ kind }) => kind === 'agent').map(unit => startable(unit, pipeline)),
    barriers: ready
      .filter(({ kind }) => kind === 'barrier')
      .map(unit => ({
        address: unit.address,
        title: titleOf(unit, pipeline.value) ?? null,
        artifacts: filesOf(unit, pipeline.value),
      })),
    running: units
      .filter(({ kind, state }) => kind === 'agent' && state === 'running')
      .map(({ address }) => address),
    stuck: units.flatMap(({ kind, address, state, reasons }) =>
      kind !== 'phase' && (state === 'blocked' || state === 'failed')
        ? [{ address, state, reasons: reasons.filter(({ stuck }) => stuck) }]
        : [],
    ),
    diagnostics: report.diagnostics,
  })
}

function startable(unit: Unit, { value }: Pipeline) {
  const agent = agentAt(unit, value)
  return {
    address: unit.address,
    id: agent?.id ?? unit.address,
    title: titleOf(unit, value) ?? null,
    input: agent?.session_context?.input || null,
    output: agent?.session_context?.output || null,
    artifact: agent?.artifact || null,
  }
}
