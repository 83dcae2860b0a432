import { maskSecrets } from '../document/index.ts'
import { WaybillError } from '../error.ts'
import { isAsRecorded, type TraceStep, traceOf } from '../governance/index.ts'
import type { LogReader } from '../ledger/index.ts'
import { drawSvg } from '../session/index.ts'
import { limitOf } from './log/listed.ts'
import { nearIds } from './log/near.ts'
import { openLedger } from './log/open.ts'
import { TENANT_INPUT, tenantOf } from './mission/tenant.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'
import { documentsNaming } from './trace/documents.ts'
import { drawingOf } from './trace/drawing.ts'
import { missionOf, UUID } from './trace/mission.ts'
import type { TraceOutput } from './trace/output.ts'

const input = {
  type: 'object',
  required: ['id'],
  properties: {
    id: {
      type: 'string',
      positional: true,
      description:
        'The id of a handoff, session, mission, task, artifact, tool call or record, an agent, or a digest.',
    },
    limit: {
      type: 'integer',
      placeholder: 'number',
      description: 'The maximum number of entries, newest first (default: 500).',
    },
    as: {
      type: 'string',
      enum: ['text', 'svg'],
      placeholder: 'form',
      description: 'The format (default: text).',
    },
    // Agents may only see the default tenant.
    tenant: { ...TENANT_INPUT, actor: 'human' },
  },
} as const

const USUAL = 500
/** Longer values are not ids. */
const LONGEST = 1000

/** Traces an id through the log, the repository and the missions. */
export default defineOperation({
  name: 'trace',
  summary: 'Trace an id through the log, the repository and the missions',
  description:
    'Lists every log entry with the id and those linked to it: the same handoff sent and received, the handoffs before and ' +
    'after it in the conversation, and statements of people about it. Each step shows the agents, the hashes of their ' +
    'prompts, the policy decision and the reasons for a refusal. Also lists files of the repository that contain the id. ' +
    'Handoffs name missions, sessions, tasks and artifacts in their accumulated context or input data: mission_id, ' +
    'session_id, task_id, artifact_id and artifact_ids. If there is a database, it adds the mission with its tasks, ' +
    'artifacts, decisions and tool calls by digest, and the session contexts that pipeline agents wrote. Exits with 1 when ' +
    'nothing is known about the id or an entry was changed.',
  examples: [
    {
      command: 'waybill trace 550e8400-e29b-41d4-a716-446655440000',
      does: 'trace one handoff',
    },
    { command: 'waybill trace domain-05-product --limit 50', does: 'trace an agent' },
    {
      command: 'waybill trace 3f1c9a52-8f0e-4c55-9b1a-6b8f2f0f7a10 --as svg > mission.svg',
      does: 'draw a mission',
    },
    {
      command: 'waybill trace quiet-hours-design --format mermaid',
      does: 'print it as a sequence diagram',
    },
  ],
  actor: 'any',
  effect: 'read',
  input,
  run: trace,
  failed: ({ steps, documents, mission }) => {
    if (!steps.every(({ entry }) => isAsRecorded(entry))) return 'ledger-tampered'
    return steps.length === 0 && documents.length === 0 && mission === null
  },
})

async function trace(given: TypeOf<typeof input>, app: App): Promise<TraceOutput> {
  const { id } = given
  if (id.length > LONGEST)
    throw new WaybillError(
      'usage',
      `an id has at most ${LONGEST} characters, but this one has ${id.length}`,
    )
  const limit = limitOf(given.limit, USUAL)
  const { origin, size, log, config } = await openLedger(app)
  const found = log ? await followed(log, id, limit) : { steps: [], kinds: [], more: false }
  const documents = await documentsNaming(id, app.root, config)
  const { steps } = found
  const shown = maskSecrets(id)
  const { story: mission, more } = await missionOf(
    { id, tenant: tenantOf(given), limit, origin, trace: found },
    app,
  )
  const isKnown = steps.length > 0 || documents.length > 0 || mission !== null
  const as = given.as === 'svg' ? 'svg' : 'text'
  const drawing = as === 'svg' ? drawingOf({ id: shown, steps, documents, mission }) : null
  return {
    ...{ origin, size, id: shown, ...found, documents, mission, as },
    more: found.more || more,
    drawing: drawing && drawSvg(drawing, `Trace of ${shown}`),
    approvals: steps.flatMap(approvalOf),
    refusals: steps.flatMap(refusalOf),
    near: log && !isKnown ? await nearIds(log, id) : [],
  }
}

/** Mission ids are recorded in lower case. */
async function followed(log: LogReader, id: string, limit: number) {
  const found = await traceOf(log, id, limit)
  const small = UUID.test(id) ? id.toLowerCase() : id
  return found.steps.length > 0 || small === id ? found : traceOf(log, small, limit)
}

function approvalOf({ entry }: TraceStep): TraceOutput['approvals'] {
  const { index, by, standing, note, state } = entry
  // An erasure is stated in a separate entry.
  return standing !== null && state === 'kept' ? [{ index, by, standing, what: note }] : []
}

function refusalOf({ entry }: TraceStep): TraceOutput['refusals'] {
  const { index, kind, codes } = entry
  return kind === 'handoff-rejected' ? [{ index, codes }] : []
}
